import { DatabaseSync } from 'node:sqlite'
import { decodeExact } from '../../src/core/exactJson.ts'

// What came of an agent's contests by the sandbox's own file, and whether its bot has said what it lost. Read by SQL alone, so that
// files of other versions can be read as well.

/** What a process has logged, a line. */
export interface LoggedLine {
  readonly level: string
  readonly time: string | number
  readonly msg: string
}

export interface AuditedContest {
  readonly contestId: string
  readonly mode: string
  readonly result: string
  /** micro-USDC. */
  readonly stake: bigint
  /** Unix milliseconds. */
  readonly enteredAt: number
  readonly endedAt: number
  /** A reveal or an own pick was accepted, a swap counted, or the seat has a side. */
  readonly hasMoved: boolean
  /** A line at `warn` or above, from the entry on, names the contest or its mode. */
  readonly isSaid: boolean
}

export type AuditVerdict = 'fine' | 'silentLoss' | 'saidLoss' | 'neverStarted'

export interface Audit {
  readonly verdict: AuditVerdict
  /** Tickets placed and seats taken. */
  readonly entries: number
  /** Entries into a mode after a contest of it had ended without a move. */
  readonly enteredAgain: number
  readonly contests: readonly AuditedContest[]
}

interface Command {
  readonly type: string
  readonly agentId?: string
  readonly now: number
  readonly mode?: string
  readonly contestId?: string | null
  readonly move?: { readonly type: string }
  readonly changes?: readonly unknown[]
}
interface Event {
  readonly type: string
  readonly createdAt: string
  readonly data: Readonly<Record<string, unknown>>
}

const ENTRIES: ReadonlySet<string> = new Set(['enqueue', 'joinContest', 'createContest'])
const SAID: ReadonlySet<string> = new Set(['warn', 'error', 'fatal'])
const SECONDS_GRACE_MS = 1000

export interface AuditOptions {
  /** The sandbox's file, once it is closed: a sandbox shares it with nobody. */
  readonly file: string
  readonly agentId: string
  readonly lines: readonly LoggedLine[]
  /** Only what was entered from then on, and before, in Unix milliseconds. */
  readonly fromMs?: number
  readonly toMs?: number
}

export function auditOf({ file, agentId, lines, fromMs = 0, toMs = Number.POSITIVE_INFINITY }: AuditOptions): Audit {
  const database = new DatabaseSync(file, { readOnly: true })
  try {
    const rows = (sql: string) => database.prepare(sql).all(agentId) as { body: string }[]
    const commands = rows("SELECT body FROM commands WHERE json_extract(body, '$.agentId') = ? ORDER BY seq").map(
      ({ body }) => decodeExact(body) as Command,
    )
    const events = rows('SELECT body FROM events WHERE agent_id = ? ORDER BY seq').map(({ body }) => JSON.parse(body) as Event)
    return auditedFrom({ commands, events, lines, fromMs, toMs })
  } finally {
    database.close()
  }
}

interface Heard {
  readonly commands: readonly Command[]
  readonly events: readonly Event[]
  readonly lines: readonly LoggedLine[]
  readonly fromMs: number
  readonly toMs: number
}

function auditedFrom({ commands, events, lines, fromMs, toMs }: Heard): Audit {
  const isWithin = (at: number) => at >= fromMs && at < toMs
  const modes = new Map<string, string>()
  const enteredAt = new Map<string, number>()
  for (const { data, createdAt } of events) {
    const { contestId, mode } = data
    if (typeof contestId !== 'string') continue
    if (typeof mode === 'string') modes.set(contestId, mode)
    if (!enteredAt.has(contestId)) enteredAt.set(contestId, Date.parse(createdAt))
  }
  const moved = new Set(commands.flatMap((command) => (isMove(command, events) ? [command.contestId] : [])))
  const warned = lines
    .filter(({ level }) => SAID.has(level))
    .map((line) => ({ at: new Date(line.time).getTime(), text: JSON.stringify(line) }))
  const contests = events
    .filter(({ type }) => type === 'contest.settled')
    .map(({ data, createdAt }): AuditedContest => {
      const contestId = String(data.contestId)
      const mode = modes.get(contestId) ?? 'unknown'
      const from = enteredAt.get(contestId) ?? 0
      return {
        ...{
          contestId,
          mode,
          result: String(data.result),
          stake: BigInt(String(data.stake)),
          enteredAt: from,
          endedAt: Date.parse(createdAt),
        },
        hasMoved: mode === 'up_down' || moved.has(contestId),
        isSaid: warned.some(({ at, text }) => at >= from - SECONDS_GRACE_MS && (text.includes(contestId) || text.includes(mode))),
      }
    })
    .filter((contest) => isWithin(contest.enteredAt))
  const entered = commands
    .filter(({ type, now }) => ENTRIES.has(type) && isWithin(now))
    .map(({ now, mode, contestId }) => ({ now, mode: mode ?? modes.get(contestId ?? '') ?? 'unknown' }))
  const lost = contests.filter(({ hasMoved }) => !hasMoved)
  const isAgain = (entry: { now: number; mode: string }) => lost.some(({ mode, endedAt }) => mode === entry.mode && entry.now > endedAt)
  return {
    verdict: verdictOf(entered.length, lost),
    entries: entered.length,
    enteredAgain: entered.filter(isAgain).length,
    contests,
  }
}

function verdictOf(entries: number, lost: readonly AuditedContest[]): AuditVerdict {
  if (entries === 0) return 'neverStarted'
  if (lost.some(({ isSaid }) => !isSaid)) return 'silentLoss'
  return lost.length > 0 ? 'saidLoss' : 'fine'
}

/** Commands in the log were obeyed; a swap that failed on the chain changed nothing, and one outside the window counts for nothing. */
function isMove({ type, move, changes, contestId, now }: Command, events: readonly Event[]): boolean {
  if (type === 'move') return move?.type === 'revealPrediction' || move?.type === 'draftPick'
  if (type !== 'fill' || typeof contestId !== 'string' || (changes?.length ?? 0) === 0) return false
  const live = events.find((event) => event.type === 'contest.live' && event.data.contestId === contestId)
  return live !== undefined && now >= Date.parse(String(live.data.startsAt)) && now < Date.parse(String(live.data.endsAt))
}
