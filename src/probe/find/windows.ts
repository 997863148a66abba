import { isPlayedBy } from '../../contract/modes.ts'
import { rankOf } from '../../contract/shapes/candidates.ts'
import type { PhaseMeaning } from '../../contract/shapes/shapes.ts'
import { type Candidate, decide, type Finding, none, UNNAMED } from './finding.ts'
import type { PhaseFound } from './phase.ts'
import { type Cell, groupBy, type Sample, type Seen } from './seen.ts'
import { type Column, columnsIn } from './steady.ts'
import { instantOf, slackOf, type TimeUnit, unitOf } from './times.ts'
import { show } from './values.ts'

// Until when a prediction is committed to, and from when until when it is revealed.

type WindowName = 'commitBy' | 'revealFrom' | 'revealBy'
const NAMES: readonly WindowName[] = ['commitBy', 'revealFrom', 'revealBy']

export function findWindows(seen: Seen, { findings, words }: PhaseFound): readonly Finding[] {
  const samples = [...seen.states, ...seen.contests].filter(({ mode, id }) => id !== undefined && isPlayedBy(mode, 'sealedPrice'))
  if (samples.length === 0) return [...NAMES, 'committed', 'revealed'].map((name) => none(name, 'notSeen'))
  const columns = columnsIn(samples)
  const { graceMs } = seen.known
  if (!Number.isFinite(graceMs)) return [...NAMES, 'committed', 'revealed'].map((name) => none(name, 'missing'))
  const place = findings[0]?.place
  const phase = typeof place === 'string' ? columns.find(({ source, path }) => `${source}:${path}` === place) : undefined
  const changes = { commit: changesOf(phase, words?.commit, 'end'), reveal: changesOf(phase, words?.reveal, 'begin') }
  const times = columns.flatMap((column) => steadyTimes(column, graceMs))
  return [
    ...NAMES.map((name) => decide(name, aligned(times.flatMap((time) => candidateOf(name, time, { changes, graceMs }))), true)),
    decide('committed', marksIn('committed', columns), true),
    decide('revealed', marksIn('revealed', columns), true),
  ]
}

interface SteadyTime {
  readonly column: Column
  readonly unit: TimeUnit
  readonly slackMs: number
  readonly instants: ReadonlyMap<string, number>
  readonly seen: number
}

/** A time that stays the same in each contest, as far as its unit can say. */
function steadyTimes(column: Column, graceMs: number): SteadyTime[] {
  const unit = unitOf(column.cells)
  if (unit === undefined) return []
  const slackMs = slackOf(unit, graceMs)
  const instants = new Map<string, number>()
  let seen = 0
  for (const { sample, value } of column.cells) {
    const instant = instantOf(value, unit, sample.at)
    if (instant === undefined || sample.id === undefined) continue
    const before = instants.get(sample.id)
    if (before !== undefined && Math.abs(before - instant) > Math.max(slackMs, 2)) return []
    if (before === undefined) instants.set(sample.id, instant)
    seen += 1
  }
  return seen >= 3 ? [{ column, unit, slackMs, instants, seen }] : []
}

/** Between which two answers a phase ended or began, by contest. */
type Changes = ReadonlyMap<string, { readonly after: number; readonly before: number }>

function changesOf(phase: Column | undefined, words: readonly string[] | undefined, which: 'begin' | 'end'): Changes {
  const found = new Map<string, { after: number; before: number }>()
  if (phase === undefined || words === undefined) return found
  for (const [id, cells] of groupBy(phase.cells, ({ sample }) => sample.id)) {
    const isIn = ({ value }: Cell) => words.includes(String(value))
    const [first, last] = [cells.findIndex(isIn), cells.findLastIndex(isIn)]
    const [from, to] = which === 'end' ? [cells[last], cells[last + 1]] : [cells[first - 1], cells[first]]
    if (first >= 0 && from !== undefined && to !== undefined && to.sample.at - from.sample.at < 5000)
      found.set(id, { after: from.sample.at, before: to.sample.at })
  }
  return found
}

interface Evidence {
  readonly changes: Readonly<Partial<Record<PhaseMeaning, Changes>>>
  readonly graceMs: number
}

const MOVE_OF = { commitBy: 'commitPrediction', revealFrom: 'revealPrediction', revealBy: 'revealPrediction' } as const

/** Moves that were taken lie within the window; a phase that was seen to change does so at its edge. */
function candidateOf(name: WindowName, { column, unit, slackMs, instants }: SteadyTime, { changes, graceMs }: Evidence): Timed[] {
  const { source, path, cells } = column
  const rank = rankOf(name, path) ?? UNNAMED
  const slack = slackMs + graceMs
  const contests = new Map(
    cells.flatMap(({ sample }) => (sample.contest === undefined ? [] : [[sample.contest.contestId, sample.contest] as const])),
  )
  const odd: string[] = []
  for (const [id, instant] of instants) {
    const { moves = [], startsAt, endsAt, liveAt } = contests.get(id) ?? {}
    const taken = moves.filter(({ type }) => type === MOVE_OF[name])
    const isWithin = name === 'revealFrom' ? taken.every(({ at }) => at >= instant - slack) : taken.every(({ at }) => at <= instant + slack)
    if (!isWithin) return []
    if (endsAt !== undefined && !isSensible(name, instant, { endsAt, slack, liveAt: liveAt ?? startsAt ?? 0 })) odd.push(id)
  }
  const seen = name === 'revealBy' ? undefined : changes[name === 'commitBy' ? 'commit' : 'reveal']
  const told = [...(seen ?? [])].filter(([id]) => instants.has(id))
  const fits = told.every(
    ([id, { after, before }]) => (instants.get(id) ?? 0) >= after - slack && (instants.get(id) ?? 0) <= before + slack,
  )
  if (!fits) return []
  // Nothing is revealed before the end of a contest, nor committed to after it, unless it was seen to be so.
  const isEarly = name === 'revealFrom' && odd.every((id) => told.some(([one]) => one === id))
  if (odd.length > 0 && !isEarly) return []
  const isSeen = told.length >= 2
  if (rank === UNNAMED && !isSeen) return []
  const isMoved = [...contests.values()].some(({ moves }) => moves.some(({ type }) => type === MOVE_OF[name]))
  const at = `${source}:${path}`
  const says = new Map([...instants].map(([id, instant]) => [id, String(instant)]))
  // An edge that a phase shows is that of the window, but who is not named like it comes last, and does not compete.
  return [
    {
      ...{ source, path, place: { at, as: unit }, sample: cells.find(({ value }) => value !== null && value !== undefined)?.value, says },
      ...{
        rank,
        tier: rank === UNNAMED ? 1 : 0,
        proof: isSeen && isMoved ? 'moves were taken within it, and the phase changes at it' : undefined,
      },
      ...{ instants, slackMs },
    },
  ]
}

interface Timed extends Candidate {
  readonly instants: ReadonlyMap<string, number>
  readonly slackMs: number
}

/** Times in different units say the same where they are as close as their units let them be. */
function aligned(times: readonly Timed[]): Candidate[] {
  const firsts: Timed[] = []
  return times.map((time) => {
    const alike = firsts.find((first) =>
      [...time.instants].every(([id, instant]) => Math.abs((first.instants.get(id) ?? instant) - instant) <= first.slackMs + time.slackMs),
    )
    if (alike === undefined) firsts.push(time)
    return alike === undefined
      ? time
      : { ...time, says: new Map([...time.says.keys()].flatMap((id) => (alike.says.has(id) ? [[id, alike.says.get(id) ?? '']] : []))) }
  })
}

const isSensible = (
  name: WindowName,
  instant: number,
  { endsAt, slack, liveAt }: { endsAt: number; slack: number; liveAt: number },
): boolean => (name === 'commitBy' ? instant > liveAt - slack && instant <= endsAt + slack : instant >= endsAt - slack)

/** Marks of our own moves: not yet before, and there for good once the move was taken. */
function marksIn(name: 'committed' | 'revealed', columns: readonly Column[]): Candidate[] {
  const type = name === 'committed' ? 'commitPrediction' : 'revealPrediction'
  return columns.flatMap(({ source, path, cells }): Candidate[] => {
    const rank = rankOf(name, path) ?? UNNAMED
    if (rank === UNNAMED) return []
    const seen = { before: 0, after: 0 }
    const says = new Map<string, string>()
    for (const { sample, value } of cells) {
      const at = moveAt(sample, type)
      if (at === undefined || !sample.isOurs || value === undefined || sample.at === at) continue
      const isSet = value !== null && value !== false && value !== ''
      if (isSet !== sample.at > at) return []
      seen[isSet ? 'after' : 'before'] += 1
      says.set(String(sample.n), show(isSet))
    }
    if (seen.before === 0 || seen.after < 2) return []
    return [{ source, path, sample: cells.at(-1)?.value, says, rank, proof: 'it changed with an accepted move' }]
  })
}

const moveAt = ({ contest }: Sample, type: string): number | undefined => contest?.moves.find((move) => move.type === type)?.at
