import { modeSchema } from '../../contract/enums.ts'
import type { Shapes } from '../../contract/shapes/shapes.ts'
import { type Candidate, decide, type Finding, nameRank, none, UNNAMED } from './finding.ts'
import { isEnding, type Stage } from './known.ts'
import { type Cell, groupBy, type Sample, type Seen } from './seen.ts'
import { type Column, columnsIn } from './steady.ts'
import { instantOf, slackOf, unitOf } from './times.ts'
import { isId, isRow, isWord, show } from './values.ts'

// What a contest says of itself and events say as well: its id, its state in words, its mode and stake, and its window.

type ContestWords = NonNullable<NonNullable<Shapes['words']>['contest']>

export interface ContestsFound {
  readonly findings: readonly Finding[]
  readonly words: ContestWords | undefined
}

const NAMES = ['contestId', 'contestState', 'words.contest', 'mode', 'stake', 'duration', 'startsAt', 'endsAt']

export function findContests(seen: Seen): ContestsFound {
  const { contests, listed, exchanges } = seen
  if (contests.length === 0) return { findings: NAMES.map((name) => none(name, 'notSeen')), words: undefined }
  const columns = columnsIn(contests)
  const mine = contests.filter(({ procedure }) => procedure === 'agent.contests.mine')
  const id = decide('contestId', idsIn(columns), mine.length > 0 || contests.length > 0)
  const states = columns.flatMap((column) => stateIn(column, listed, seen.known))
  const state = decide('contestState', states, true)
  const words = state.place === undefined ? undefined : states.find(({ path }) => `contest:${path}` === state.place)?.words
  const said: Finding =
    words === undefined
      ? none('words.contest', 'missing')
      : { ...{ name: 'words.contest', verdict: state.verdict, place: words, proof: 'what the events said then' }, candidates: [] }
  return {
    findings: [
      ...[id, state, said],
      decide(
        'mode',
        equalIn('mode', columns, ({ contest }) => contest?.mode),
        true,
      ),
      decide(
        'stake',
        equalIn('stake', columns, ({ contest }) => contest?.stake),
        true,
      ),
      decide('duration', durationsIn(columns, durationsAsked(exchanges, seen)), true),
      ...(['startsAt', 'endsAt'] as const).map((name) => decide(name, windowIn(name, columns, seen.known.graceMs), true)),
    ],
    words,
  }
}

/** By which every item of the own list, and every contest that was asked for, is known. */
function idsIn(columns: readonly Column[]): Candidate[] {
  return columns.flatMap(({ source, path, cells }): Candidate[] => {
    const told = cells.filter(({ sample }) => sample.id !== undefined)
    if (told.length < 1 || !told.every(({ value, sample }) => value === sample.id)) return []
    if (!cells.every(({ value }) => isId(value))) return []
    const says = new Map(cells.map(({ sample, value }) => [`${sample.n}`, show(value)]))
    return [
      {
        source,
        path,
        sample: told[0]?.value,
        says,
        rank: nameRank('contestId', path),
        proof: 'it is what was asked for, and what events name',
      },
    ]
  })
}

interface StateCandidate extends Candidate {
  readonly words: ContestWords
}

const STAGES: readonly Stage[] = ['open', 'live', 'settled', 'cancelled']

/** A word that is another one in each state that events and filters told. */
function stateIn({ source, path, cells }: Column, listed: readonly Sample[], known: Seen['known']): StateCandidate[] {
  if (!cells.every(({ value }) => isWord(value))) return []
  const said = new Map<Stage, Set<string>>(STAGES.map((stage) => [stage, new Set()]))
  for (const { sample, value } of cells) if (sample.stage !== undefined) said.get(sample.stage)?.add(String(value))
  // A list that was asked for by a state has contests in it alone.
  const filtered: (readonly [Stage, string])[] = listed.flatMap(({ input, values }) => {
    const status = isRow(input) ? input.status : undefined
    const value = values.get(path)
    return (status === 'open' || status === 'live') && isWord(value) ? [[status, value] as const] : []
  })
  const isLikeListed = filtered.every(([stage, word]) => STAGES.every((other) => other === stage || said.get(other)?.has(word) !== true))
  if (isLikeListed) for (const [stage, word] of filtered) said.get(stage)?.add(word)
  // What is said only between the end and the result is of a contest that is not over.
  const isSaid = (word: string) => STAGES.some((stage) => said.get(stage)?.has(word))
  const isOverKnown = (said.get('settled')?.size ?? 0) > 0
  for (const { sample, value } of isOverKnown ? cells : [])
    if (sample.contest?.settledAt !== undefined && isEnding(known, sample.contest, sample.at) && !isSaid(String(value)))
      said.get('live')?.add(String(value))
  const told = STAGES.filter((stage) => (said.get(stage)?.size ?? 0) > 0)
  if (goesBack(cells, said)) return []
  const all = told.flatMap((stage) => [...(said.get(stage) ?? [])])
  if (told.length === 0 || new Set(all).size !== all.length) return []
  const live = said.get('live')?.size ?? 0
  const isChanging = told.length >= 2 && told.includes('live')
  const rank = nameRank('contestState', path)
  if (!isChanging && rank === UNNAMED) return []
  const words = Object.fromEntries(told.map((stage) => [stage, [...(said.get(stage) ?? [])].sort()])) as ContestWords
  return [
    {
      ...{ source, path, sample: cells[0]?.value, words, rank, says: new Map() },
      // One word for what is live is the contest's own state; several are a mode's phases.
      ...{ tier: (isChanging ? 0 : 2) + (live > 1 ? 1 : 0), proof: isChanging ? 'it changed when the events said so' : undefined },
    },
  ]
}

const ORDER: Readonly<Record<Stage, number>> = { open: 0, live: 1, settled: 2, cancelled: 2 }

/** True if these words would have a contest open after it was live, or both settled and cancelled. */
function goesBack(cells: readonly Cell[], said: ReadonlyMap<Stage, ReadonlySet<string>>): boolean {
  const stageOf = (word: unknown) => STAGES.find((stage) => said.get(stage)?.has(String(word)))
  return [...groupBy(cells, ({ sample }) => sample.id).values()].some((series) =>
    series.some(({ value }, index) => {
      const next = series[index + 1]
      const [from, to] = [stageOf(value), stageOf(next?.value)]
      if (next === undefined || from === undefined || to === undefined) return false
      return ORDER[to] < ORDER[from] || (ORDER[from] === 2 && next.value !== value)
    }),
  )
}

/** A place that says what the events say, in each of at least three answers. */
function equalIn(name: 'mode' | 'stake', columns: readonly Column[], wanted: (sample: Sample) => string | undefined): Candidate[] {
  return columns.flatMap(({ source, path, cells }): Candidate[] => {
    const told = cells.filter(({ sample }) => wanted(sample) !== undefined)
    if (told.length < 3 || !told.every(({ value, sample }) => value === wanted(sample))) return []
    if (name === 'mode' && !cells.every(({ value }) => modeSchema.safeParse(value).success)) return []
    const says = new Map(cells.map(({ sample, value }) => [`${sample.n} ${sample.id}`, show(value)]))
    return [{ source, path, sample: told[0]?.value, says, rank: nameRank(name, path), proof: 'events say the same' }]
  })
}

/** Seconds that our tickets asked for, by the contest they became. */
function durationsAsked(exchanges: Seen['exchanges'], { known }: Seen): ReadonlyMap<string, number> {
  const asked = exchanges.filter(({ procedure }) => procedure === 'agent.queue.enqueue')
  const seconds = new Set(asked.flatMap(({ input }) => (isRow(input) && typeof input.durationSec === 'number' ? [input.durationSec] : [])))
  const [only] = seconds
  const matched = [...known.tickets.values()].flatMap(({ contestId }) => contestId ?? [])
  // Tickets of several lengths cannot be told apart by what an enqueue says.
  return seconds.size === 1 && only !== undefined ? new Map(matched.map((contestId) => [contestId, only])) : new Map()
}

const UNITS = { ms: 1000, s: 1, min: 1 / 60 } as const

function durationsIn(columns: readonly Column[], asked: ReadonlyMap<string, number>): Candidate[] {
  if (asked.size === 0) return []
  return columns.flatMap(({ source, path, cells }): Candidate[] => {
    const rank = nameRank('duration', path)
    const told = cells.filter(({ sample }) => asked.has(sample.id ?? ''))
    if (rank === UNNAMED || told.length < 3) return []
    return (Object.keys(UNITS) as (keyof typeof UNITS)[]).flatMap((unit): Candidate[] => {
      const isRight = ({ value, sample }: Cell) => typeof value === 'number' && value === (asked.get(sample.id ?? '') ?? 0) * UNITS[unit]
      if (!told.every(isRight)) return []
      const says = new Map(told.map(({ sample }) => [sample.id ?? '', show(asked.get(sample.id ?? ''))]))
      const place = unit === 's' ? `${source}:${path}` : { at: `${source}:${path}`, unit }
      return [{ source, path, place, sample: told[0]?.value, says, rank, proof: 'our tickets asked for it' }]
    })
  })
}

/** A time that is that of `contest.live` in each of our contests, once it was said. */
function windowIn(name: 'startsAt' | 'endsAt', columns: readonly Column[], graceMs: number): Candidate[] {
  return columns.flatMap(({ source, path, cells }): Candidate[] => {
    const unit = unitOf(cells)
    if (unit === undefined) return []
    const slack = slackOf(unit, graceMs)
    const says = new Map<string, string>()
    let seen = 0
    for (const { sample, value } of cells) {
      const wanted = sample.contest?.[name]
      const instant = instantOf(value, unit, sample.at)
      if (wanted === undefined || sample.stage !== 'live' || (instant === undefined && unit.startsWith('left'))) continue
      if (instant === undefined || Math.abs(instant - wanted) > slack) return []
      says.set(sample.id ?? '', String(wanted))
      seen += 1
    }
    if (seen < 3) return []
    const at = `${source}:${path}`
    return [
      {
        source,
        path,
        place: { at, as: unit },
        sample: cells.find(({ value }) => value !== null)?.value,
        says,
        rank: nameRank(name, path),
        proof: 'contest.live says the same',
      },
    ]
  })
}
