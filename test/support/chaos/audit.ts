import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { apply, type ContestsState, createContests } from '../../../src/contests/index.ts'
import { procedures } from '../../../src/contract/procedures.ts'
import { DAY_MS } from '../../../src/core/day.ts'
import type { Mint } from '../../../src/core/tokens.ts'
import type { Usdc } from '../../../src/core/usdc.ts'
import type { LoggedCall } from '../../../src/sandbox/server/callLog.ts'
import type { SandboxStore } from '../../../src/sandbox/store/sandboxStore.ts'

// What the sandbox's own files say of the bots that played there.

/** Ids of an agent's events, in the order of the sandbox's table. */
export function eventsAtService(file: string, agentId: string): string[] {
  return idsOf(file, 'SELECT id FROM events WHERE agent_id = ? ORDER BY seq', agentId)
}

/** Ids of the events that a bot has taken in, in the order it did. */
export function eventsInJournal(dataDir: string, bot: string): string[] {
  return idsOf(join(dataDir, 'bots', `${bot}.db`), "SELECT json_extract(raw, '$.id') AS id FROM events ORDER BY position")
}

function idsOf(file: string, sql: string, ...values: string[]): string[] {
  const database = new DatabaseSync(file, { readOnly: true })
  try {
    return (database.prepare(sql).all(...values) as { id: string }[]).map(({ id }) => id)
  } finally {
    database.close()
  }
}

/** The most reads of one agent in any minute, by the sandbox's log of calls; by agent. */
export function mostReadsAMinute(callsFile: string): ReadonlyMap<string, number> {
  const times = new Map<string, number[]>()
  for (const line of readFileSync(callsFile, 'utf8').split('\n')) {
    // The sandbox was killed: its last line may be cut.
    if (!line.endsWith('}')) continue
    const { at, agentId, procedure } = JSON.parse(line) as LoggedCall
    if (procedures[procedure as keyof typeof procedures].kind !== 'read') continue
    times.set(agentId, [...(times.get(agentId) ?? []), at])
  }
  return new Map(
    [...times].map(([agentId, each]) => [
      agentId,
      Math.max(...each.map((from) => each.filter((at) => at >= from && at < from + 60_000).length)),
    ]),
  )
}

/** The most that one agent had staked and lost in a day, and what else its caps are about. */
export interface Exposure {
  readonly most: Usdc
  readonly largestStake: Usdc
  /** The most tickets and seats at once. */
  readonly mostOpen: number
}

export interface Refolded {
  readonly state: ContestsState
  readonly exposures: ReadonlyMap<string, Exposure>
}

/** Plays the sandbox's command log again and looks at what each agent has at stake after every command of its own. */
export function refold(store: SandboxStore, mints: readonly Mint[], agents: readonly string[]): Refolded {
  const state = createContests({ seed: store.identity.seed, rakeBps: store.identity.rakeBps, startMs: store.epochMs, mints })
  const ours = new Set(agents)
  const exposures = new Map<string, Exposure>()
  const profits = new Map<string, bigint>()
  for (const { command } of store.commands()) {
    const { events } = apply(state, command)
    for (const { agentId, type, data, createdAt } of events) {
      if (type !== 'contest.settled' || !ours.has(agentId)) continue
      const key = `${agentId} ${Math.floor(Date.parse(String(createdAt)) / DAY_MS)}`
      profits.set(key, (profits.get(key) ?? 0n) + BigInt(String(data.profit)))
    }
    const agentId = 'agentId' in command ? command.agentId : ''
    if (!ours.has(agentId)) continue
    const stakes = stakesOf(state, agentId)
    const profit = profits.get(`${agentId} ${Math.floor(command.now / DAY_MS)}`) ?? 0n
    const at = stakes.reduce((sum, stake) => sum + stake, profit < 0n ? -profit : 0n)
    const before = exposures.get(agentId) ?? { most: 0n, largestStake: 0n, mostOpen: 0 }
    exposures.set(agentId, {
      mostOpen: Math.max(before.mostOpen, stakes.length),
      most: at > before.most ? at : before.most,
      largestStake: [before.largestStake, ...stakes].reduce((a, b) => (a > b ? a : b)),
    })
  }
  return { state, exposures }
}

function stakesOf(state: ContestsState, agentId: string): Usdc[] {
  const queued = [...state.tickets.values()].filter((ticket) => ticket.agentId === agentId && ticket.status === 'queued')
  const seated = [...state.contests.values()].filter(
    ({ status, entries }) => (status === 'open' || status === 'live') && entries.some((entry) => entry.agentId === agentId),
  )
  return [...queued, ...seated].map(({ stake }) => stake)
}

/** A commitment that was never revealed. */
export interface Unrevealed {
  readonly contestId: string
  readonly revealBy: number
}

export function unrevealedOf(state: ContestsState, agentId: string): { committed: number; unrevealed: Unrevealed[] } {
  let committed = 0
  const unrevealed: Unrevealed[] = []
  for (const contest of state.contests.values()) {
    const seat = contest.entries.findIndex((entry) => entry.agentId === agentId)
    if (contest.mode !== 'price_prediction' || contest.status !== 'settled' || seat < 0) continue
    // The play of this mode: commitments and revealed values by seat.
    const { commitments, values } = contest.play as { commitments: unknown[]; values: unknown[] }
    if (commitments[seat] === null) continue
    committed += 1
    const { revealSec } = contest.params as unknown as { revealSec: number }
    if (values[seat] === null) unrevealed.push({ contestId: contest.contestId, revealBy: (contest.endsAt ?? 0) + revealSec * 1000 })
  }
  return { committed, unrevealed }
}
