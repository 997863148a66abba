import { MODES, type Mode } from '../contract/modes.ts'
import type { ReadName } from '../contract/procedures.ts'
import { compileShapes } from '../contract/shapes/compile.ts'
import type { Shapes } from '../contract/shapes/shapes.ts'
import type { Clock } from '../core/clock.ts'
import { needsPhase } from './find/phase.ts'

// What can be learnt of a service at no cost: its lists, and contests of others while they are played.

/** So many reads at most, two a second: the others are the bots'. */
const MOST_FREE_READS = 60
const PACE_MS = 500
const ROUNDS = 4
const ROUND_MS = 2000
const CONTESTS_A_MODE = 2
/** Ids that are tried for one contest. */
const MOST_GUESSES = 3
/** Of these the state shows phases, windows, turns and pools. */
const MOVED: readonly Mode[] = MODES.filter(needsPhase)

export interface FreeReadsOptions {
  /** What stands in `json` of the answer; undefined where there is none. */
  readonly read: (procedure: ReadName, input: unknown) => Promise<unknown>
  readonly clock: Clock
  readonly signal: AbortSignal
  /** What is found in the answers so far. */
  readonly found: () => Shapes
}

/** Reads what is free to read. Nothing is sent that changes anything. */
export async function freeReads({ read, clock, signal, found }: FreeReadsOptions): Promise<{ readonly reads: number }> {
  let reads = 0
  const ask = async (procedure: ReadName, input: unknown): Promise<unknown> => {
    if (signal.aborted || reads >= MOST_FREE_READS) return undefined
    if (reads > 0) await wait(clock, PACE_MS, signal)
    reads += 1
    return read(procedure, input)
  }
  /** By the first id that each may have. */
  const listed = new Map<string, ListedContest>()
  const note = (json: unknown) => {
    for (const contest of contestsIn(json, found())) listed.set(contest.ids[0] ?? '', contest)
  }
  for (const procedure of ['agent.me', 'agent.profile', 'agent.bankroll', 'agent.limits'] as const) await ask(procedure, null)
  await ask('agent.events', { latest: true })
  await ask('agent.events', { after: null, limit: 50 })
  for (const procedure of ['agent.queue.list', 'agent.contests.mine'] as const) await ask(procedure, null)
  const open = await ask('agent.contests.list', { status: 'open', limit: 50 })
  note(await ask('agent.contests.list', { status: 'live', limit: 50 }))
  await ask('agent.contests.counts', {})
  await ask('agent.history', { limit: 20 })
  for (const mode of MODES) {
    if ([...listed.values()].filter((contest) => contest.mode === mode).length >= CONTESTS_A_MODE) continue
    note(await ask('agent.contests.list', { modes: [mode], status: 'live', limit: 5 }))
  }
  // Where nobody plays, contests that wait show how a contest looks.
  if (listed.size === 0) note(open)
  const watched: string[] = []
  for (const { ids } of watchedOf([...listed.values()], Math.floor((MOST_FREE_READS - reads) / (2 * (ROUNDS + 1))))) {
    for (const contestId of ids) {
      if ((await ask('agent.contests.get', { contestId })) === undefined) continue
      await ask('agent.modes.state', { contestId })
      watched.push(contestId)
      break
    }
  }
  for (let round = 0; round < ROUNDS; round++) {
    await wait(clock, ROUND_MS, signal)
    for (const contestId of watched) {
      await ask('agent.contests.get', { contestId })
      await ask('agent.modes.state', { contestId })
    }
  }
  return { reads }
}

/** A contest of others, and the ids that may be its. */
interface ListedContest {
  readonly ids: readonly string[]
  /** Empty where nobody says it. */
  readonly mode: string
}

/** Those whose state says most come first, one of each mode before a second one. */
function watchedOf(listed: readonly ListedContest[], most: number): readonly ListedContest[] {
  const order = [...MOVED, ...MODES.filter((mode) => !MOVED.includes(mode)), '']
  const turns = [0, 1].flatMap((turn) => order.flatMap((mode) => listed.filter((contest) => contest.mode === mode)[turn] ?? []))
  return turns.slice(0, most)
}

/** Contests of a list, by what is known of its form: where that does not say it, each id that no other item has may be the contest's. */
function contestsIn(json: unknown, shapes: Shapes): readonly ListedContest[] {
  const compiled = compileShapes(shapes)
  const context = { ids: {}, now: 0, beside: new Map() }
  const items = compiled.list('open', json) ?? []
  const own = items.map((item) => idsIn(item))
  const counts = new Map<string, number>()
  for (const ids of own) for (const id of new Set(ids.values())) counts.set(id, (counts.get(id) ?? 0) + 1)
  return items.flatMap((item, index) => {
    const { contestId, mode } = compiled.listed(item, context).record
    const mayBe = [...(own[index] ?? [])].filter(([, id]) => counts.get(id) === 1).toSorted(([a], [b]) => depthOf(a) - depthOf(b))
    const ids = [...(typeof contestId === 'string' ? [contestId] : []), ...mayBe.map(([, id]) => id)]
    return ids.length === 0
      ? []
      : [{ ids: [...new Set(ids)].slice(0, MOST_GUESSES), mode: typeof mode === 'string' ? mode : (modeIn(item) ?? '') }]
  })
}

/** Ids of an item, by the path they stand at; those of rows of a list are of whoever sits there. */
function idsIn(item: unknown, path = ''): Map<string, string> {
  const found = new Map<string, string>()
  if (typeof item !== 'object' || item === null || Array.isArray(item)) return found
  for (const [key, value] of Object.entries(item)) {
    const at = path === '' ? key : `${path}.${key}`
    if (typeof value === 'string' && UUID.test(value)) found.set(at, value)
    else for (const [deeper, id] of idsIn(value, at)) found.set(deeper, id)
  }
  return found
}

const depthOf = (path: string): number => path.split('.').length
/** Ids are UUIDs (specification, part 1). */
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** The mode that an item names, under whatever key. */
function modeIn(item: unknown): string | undefined {
  if (typeof item === 'string') return MODES.find((mode) => mode === item)
  if (typeof item !== 'object' || item === null) return undefined
  for (const value of Object.values(item)) {
    const mode = modeIn(value)
    if (mode !== undefined) return mode
  }
  return undefined
}

/** @param signal ends the wait at once */
function wait(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      cancel()
      signal.removeEventListener('abort', end)
      resolve()
    }
    const cancel = clock.at(clock.now() + ms, end)
    signal.addEventListener('abort', end)
  })
}
