import { isPlayedBy } from '../../contract/modes.ts'
import type { Shapes } from '../../contract/shapes/shapes.ts'
import { NOT_OURS } from './entry.ts'
import { type Candidate, decide, type Finding, nameRank, none, orTried, UNNAMED } from './finding.ts'
import { type Identity, type IdKind, OWN_SEAT, type OwnFound } from './identity.ts'
import { follow } from './lists.ts'
import { type Cell, groupBy, type Sample, type Seen } from './seen.ts'
import { type Column, columnsIn } from './steady.ts'
import { instantOf, unitOf } from './times.ts'
import { isMap, isMint, isRow, isWord, pathsIn, type Row, rowsAt, show } from './values.ts'

// A draft: the pool by what leaves it, the turn by whose pick it was that was taken.

type Pool = Exclude<NonNullable<NonNullable<Shapes['pieces']>['pool']>, string | { choose: unknown }>
type PoolForm = Pick<Pool, 'token' | 'free' | 'minus'>

export interface DraftFound {
  readonly findings: readonly Finding[]
  readonly turnWords: readonly string[] | undefined
}

const NAMES = ['pool', 'turn', 'pickBy', 'round', 'mine', 'theirs']

export function findDraft(
  seen: Seen,
  identity: Identity,
  { own, rowOf, entryOf }: OwnFound & { readonly entryOf: (sample: Sample) => string | undefined },
): DraftFound {
  const samples = seen.states.filter(({ mode }) => isPlayedBy(mode, 'picks'))
  if (samples.length === 0) return { findings: NAMES.map((name) => none(name, 'notSeen')), turnWords: undefined }
  const isPlayed = samples.some(({ isOurs }) => isOurs)
  const columns = columnsIn(samples)
  const pools = columns.flatMap(poolsIn)
  const pool = orTried(decide('pool', withoutLooser(pools), isPlayed), columns.flatMap(triedPools))
  const found = pools.find((one) => pool.place !== undefined && show(one.place ?? `${one.source}:${one.path}`) === show(pool.place))
  const labels = found === undefined ? [] : labelsOf(samples, found)
  const joined = (sample: Sample) => seen.known.joined.get(sample.id ?? '') ?? new Set<string>()
  const numbers = seatsIn(columnsIn(seen.contests), own === undefined ? () => undefined : rowOf)
  const turns = turnsIn(columns, { labels, ids: identity.ids, entryOf, seats: [...ownSeats(columnsIn(seen.states)), ...numbers] })
  const handed = turns.length > 0 ? [] : handedIn(columns, { labels, ids: identity.ids, joined, entryOf })
  const tried = triedTurns(columns, { ids: identity.ids, entryOf, joined })
  const turn = orTried(decide('turn', turns.length > 0 ? turns : handed, isPlayed), tried)
  const word = turns.find(({ place, source, path }) => show(place ?? `${source}:${path}`) === show(turn.place))?.word
  return {
    findings: [
      ...[pool, turn, decide('pickBy', deadlinesIn(columns), isPlayed), decide('round', roundsIn(columns), isPlayed)],
      ...picksIn(columns, samples),
    ],
    turnWords: word === undefined ? undefined : [word],
  }
}

interface PoolCandidate extends Candidate {
  /** The mints that can be picked, in one answer; undefined where it shows none. */
  readonly freeIn: (sample: Sample) => ReadonlySet<string> | undefined
}

/** Where what leaves it was seen, a list that was only whole or a map that never changed does not count. */
function withoutLooser(pools: readonly PoolCandidate[]): readonly PoolCandidate[] {
  const least = Math.min(...pools.map(({ tier = 0 }) => tier))
  return pools.filter(({ tier = 0 }) => tier === least)
}

const MINT_KEYS = ['mint', 'token', 'address', 'tokenMint', 'mintAddress', 'tokenAddress', 'id', 'asset', 'coin']

/** What the items of a list, or the entries of a map, are called, with the rest of each. */
function itemsOf(value: unknown, token: string | undefined): ReadonlyMap<string, Row> | undefined {
  if (Array.isArray(value)) {
    const mints = value.map((item: unknown) => (token === undefined || token === '' ? item : follow(item, token)))
    if (!mints.every(isMint) || new Set(mints).size !== mints.length) return undefined
    return new Map(mints.map((mint, index) => [mint, isRow(value[index]) ? (value[index] as Row) : {}]))
  }
  if (token !== '$key' || !isRow(value) || !Object.keys(value).every(isMint)) return undefined
  return new Map(Object.entries(value).map(([mint, item]) => [mint, isRow(item) ? item : { '': item }]))
}

/** Under which path the items of a column have a mint each. */
function tokenPathsOf(cells: readonly Cell[]): (string | undefined)[] {
  const filled = cells.map(({ value }) => value).filter((value) => (Array.isArray(value) ? value.length > 0 : isRow(value) && isMap(value)))
  if (filled.length === 0) return []
  if (filled.every((value) => isRow(value))) return ['$key']
  if (filled.every((value) => Array.isArray(value) && value.every(isMint))) return [undefined]
  const [first] = filled.flatMap((value) => rowsAt(value)?.[0] ?? [])
  return [...pathsIn(first ?? {})].flatMap(([path, value]) => (isMint(value) ? [path] : []))
}

/** Each way in which a column may be the pool: as it is, by a mark of its items, or less the lists of what was picked. */
function poolsIn(column: Column, _index: number, columns: readonly Column[]): PoolCandidate[] {
  return tokenPathsOf(column.cells).flatMap((token) => {
    const itemsIn = ({ values }: Pick<Sample, 'values'>) => itemsOf(values.get(column.path), token)
    const shrinking = poolOf(column, { token }, itemsIn, (sample) => keysOf(itemsIn(sample)))
    if (shrinking.length > 0) return shrinking
    const marked = marksOf(column.cells, itemsIn).flatMap((free) =>
      poolOf(column, { token, free }, itemsIn, (sample) => keysOf(itemsIn(sample), (item) => markAt(item, free.at) === free.is)),
    )
    if (marked.length > 0) return marked
    const minus = columns.filter((other) => other !== column && isGrowing(other.cells)).flatMap(({ path }) => path)
    const rowed = rowedPicks(columns)
    const lists = [...minus.map((path) => ({ path, read: (sample: Sample) => mintsIn(sample.values.get(path)) })), ...rowed]
    if (lists.length === 0) return []
    const pickedIn = (sample: Sample) => new Set(lists.flatMap(({ read }) => read(sample)))
    return poolOf(column, { token, minus: lists.map(({ path }) => `state:${path}` as const) }, itemsIn, (sample) => {
      const [all, picked] = [itemsIn(sample), pickedIn(sample)]
      return all === undefined ? undefined : new Set([...all.keys()].filter((mint) => !picked.has(mint)))
    })
  })
}

type Items = (sample: Sample) => ReadonlyMap<string, Row> | undefined

const keysOf = (
  items: ReadonlyMap<string, Row> | undefined,
  isFree: (item: Row) => boolean = () => true,
): ReadonlySet<string> | undefined =>
  items === undefined ? undefined : new Set([...items].filter(([, item]) => isFree(item)).map(([mint]) => mint))

const markAt = (item: Row, path: string): unknown => (path === '' ? item[''] : follow(item, path))

/** A pool, if what we picked was in it before the pick and is not in it after, and nothing ever comes back. */
function poolOf(column: Column, form: PoolForm, items: Items, freeIn: PoolCandidate['freeIn']): PoolCandidate[] {
  const { source, path, cells } = column
  const evidence = { proven: 0, shrinks: 0 }
  for (const series of groupBy(cells, ({ sample }) => sample.id).values()) {
    const moves = series[0]?.sample.contest?.moves.filter(({ type }) => type === 'draftPick') ?? []
    for (const { token, at, sentAt } of moves) {
      if (token === undefined) continue
      const before = series.findLast(({ sample }) => sample.at <= sentAt && freeIn(sample) !== undefined)
      const after = series.find(({ sample }) => sample.at > at + 50 && freeIn(sample) !== undefined)
      if (before === undefined || after === undefined) continue
      if (freeIn(before.sample)?.has(token) !== true || freeIn(after.sample)?.has(token) === true) return []
      evidence.proven += 1
    }
    let last: ReadonlySet<string> | undefined
    for (const { sample } of series) {
      const free = freeIn(sample)
      if (free === undefined) continue
      // At the end of a draft a list may be gone, or empty.
      if (last !== undefined && [...free].some((mint) => last?.has(mint) !== true)) return []
      if (last !== undefined && free.size < last.size) evidence.shrinks += 1
      last = free
    }
  }
  const isBig = cells.some(({ sample }) => (items(sample)?.size ?? 0) >= 2)
  if (evidence.shrinks < (evidence.proven > 0 ? 1 : 2) || !isBig) return []
  const at = `${source}:${path}` as Pool['at']
  const place = form.token === undefined && form.free === undefined && form.minus === undefined ? at : clean({ at, ...form })
  const tier = (evidence.proven > 0 ? 0 : 1) + (form.minus === undefined ? 0 : 2)
  const says = new Map(
    cells.flatMap(({ sample }) => {
      const free = freeIn(sample)
      return free === undefined || sample.stage === 'settled' ? [] : [[String(sample.n), show([...free].sort())] as const]
    }),
  )
  const proof = evidence.proven > 0 ? 'what we picked was in it before, and not after' : undefined
  const sample = cells.find(({ sample: of }) => (items(of)?.size ?? 0) > 0)?.value
  return [
    {
      ...{ source, path, place, sample: Array.isArray(sample) ? sample.slice(0, 2) : sample, says, proof },
      rank: nameRank('pool', path),
      tier,
      freeIn,
    },
  ]
}

const FREE_NAMES = /free|avail|open|left|pickable|selectable/i
const TAKEN_NAMES = /tak|pick|owner|drafted|gone|used|claimed/i

/** What may be the pool though nothing left it yet: two mints and more, less what a mark of a known name calls taken. */
function triedPools({ source, path, cells }: Column): Candidate[] {
  return tokenPathsOf(cells).flatMap((token): Candidate[] => {
    const filled = cells.filter(({ value }) => (itemsOf(value, token)?.size ?? 0) >= 2)
    const [first] = filled
    if (first === undefined) return []
    const items = [...(itemsOf(first.value, token)?.values() ?? [])]
    const marks = [...pathsIn(items[0] ?? {}).keys()].flatMap((at): NonNullable<Pool['free']>[] => {
      const values = items.map((item) => follow(item, at))
      if (FREE_NAMES.test(at) && values.every((value) => typeof value === 'boolean')) return [{ at, is: true }]
      if (!TAKEN_NAMES.test(at)) return []
      if (values.every((value) => typeof value === 'boolean')) return [{ at, is: false }]
      return values.some((value) => value === null) ? [{ at, is: null }] : []
    })
    const place = clean({ at: `${source}:${path}` as Pool['at'], token, free: marks[0] })
    // Parameters and prices hold what could be picked at all.
    const isWhole = /(?:^|\.)(?:params|parameters|settings|config|options|rules)\.|price/i.test(path)
    return [{ source, path, place, sample: undefined, says: new Map(), rank: nameRank('pool', path), tier: isWhole ? 1 : 0 }]
  })
}

const clean = <T extends object>(value: T): T => Object.fromEntries(Object.entries(value).filter(([, one]) => one !== undefined)) as T

/** Marks of items that changed from one value, the same for all at first, to another. */
function marksOf(cells: readonly Cell[], itemsIn: Items): { readonly at: string; readonly is: null | boolean | string }[] {
  const paths = new Set<string>()
  for (const { sample } of cells)
    for (const item of itemsIn(sample)?.values() ?? [])
      for (const path of ['' in item ? '' : undefined, ...pathsIn(item).keys()]) if (path !== undefined) paths.add(path)
  return [...paths].sort().flatMap((at) => {
    const firsts = new Set<unknown>()
    let changes = 0
    for (const series of groupBy(cells, ({ sample }) => sample.id).values()) {
      const marks = new Map<string, unknown>()
      for (const { sample } of series)
        for (const [mint, item] of itemsIn(sample) ?? []) {
          const mark = markAt(item, at)
          if (!marks.has(mint)) firsts.add(mark)
          else if (marks.get(mint) !== mark) changes += 1
          marks.set(mint, mark)
        }
    }
    if (changes === 0) return []
    return [...firsts].flatMap((is) =>
      is === null || typeof is === 'boolean' || (typeof is === 'string' && isWord(is)) ? [{ at, is }] : [],
    )
  })
}

const mintsIn = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.flatMap((item: unknown) => (isMint(item) ? [item] : isRow(item) ? (firstMint(item) ?? []) : [])) : []

function firstMint(item: Row): string | undefined {
  const key = MINT_KEYS.find((name) => isMint(item[name]))
  const value = key === undefined ? undefined : item[key]
  return isMint(value) ? value : undefined
}

/** A list of mints that becomes longer, and never loses one. */
function isGrowing(cells: readonly Cell[]): boolean {
  let grows = 0
  for (const series of groupBy(cells, ({ sample }) => sample.id).values()) {
    let last: readonly string[] | undefined
    for (const { value } of series) {
      if (!Array.isArray(value)) continue
      const mints = mintsIn(value)
      if (mints.length !== value.length) return false
      if (last !== undefined && !last.every((mint) => mints.includes(mint))) return false
      if (last !== undefined && mints.length > last.length) grows += 1
      last = mints
    }
  }
  return grows >= 2
}

/** Lists of mints on rows, such as everyone's picks, which grow. */
function rowedPicks(columns: readonly Column[]): { readonly path: string; readonly read: (sample: Sample) => readonly string[] }[] {
  return columns.flatMap(({ path, cells }) => {
    const [row] = cells.flatMap(({ value }) => rowsAt(value)?.[0] ?? [])
    if (row === undefined) return []
    return [...pathsIn(row).keys()].flatMap((key) => {
      const read = ({ values }: Pick<Sample, 'values'>) => (rowsAt(values.get(path)) ?? []).flatMap((one) => mintsIn(follow(one, key)))
      const flat = cells.map(({ sample }) => ({ sample, value: read(sample) as unknown }))
      return isGrowing(flat) ? [{ path: `${path}[].${key}`, read }] : []
    })
  })
}

interface Label {
  readonly sample: Sample
  /** Whether the pick that came next was ours. */
  readonly isOurs: boolean
}

/** Whose turn each answer must have shown: that of who picked next, as far as one pick alone came before the next answer. */
function labelsOf(samples: readonly Sample[], pool: PoolCandidate): readonly Label[] {
  return [...groupBy(samples, ({ id }) => id).values()].flatMap((series) => {
    const picked = new Set((series[0]?.contest?.moves ?? []).flatMap(({ type, token }) => (type === 'draftPick' ? (token ?? []) : [])))
    return series.slice(0, -1).flatMap((sample, index): Label[] => {
      const next = series[index + 1]
      const [before, after] = [pool.freeIn(sample), next === undefined ? undefined : pool.freeIn(next)]
      if (next === undefined || before === undefined || after === undefined) return []
      const gone = [...before].filter((mint) => !after.has(mint))
      const [mint] = gone
      if (mint === undefined || gone.length > 1 || (!picked.has(mint) && after.size === 0)) return []
      // By what was picked: an answer to a pick may come after a state that shows it.
      return [{ sample, isOurs: picked.has(mint) }]
    })
  })
}

interface TurnEvidence {
  readonly labels: readonly Label[]
  readonly ids: ReadonlyMap<IdKind, string>
  readonly entryOf: (sample: Sample) => string | undefined
  readonly seats: readonly Seat[]
}

interface Seat {
  readonly place: string
  readonly numberOf: (contestId: string) => number | undefined
}

interface TurnCandidate extends Candidate {
  readonly word?: string
}

/** A place that says ours before each of our picks, and something else before each of the others'. */
function turnsIn(columns: readonly Column[], { labels, ids, entryOf, seats }: TurnEvidence): TurnCandidate[] {
  const [ours, theirs] = [labels.filter(({ isOurs }) => isOurs), labels.filter(({ isOurs }) => !isOurs)]
  if (ours.length < 2 || theirs.length < 1) return []
  return columns.flatMap(({ source, path, cells }): TurnCandidate[] => {
    const at = `${source}:${path}`
    const says = (isUs: (sample: Sample) => boolean) =>
      ours.every(({ sample }) => isUs(sample)) && !theirs.some(({ sample }) => isUs(sample))
    const make = (is: string, tier: number, more: { own?: string; word?: string } = {}): TurnCandidate => ({
      ...{
        source,
        path,
        place: { at, is, ...(more.own === undefined ? {} : { own: more.own }) },
        sample: ours[0]?.sample.values.get(path),
      },
      ...{ says: new Map(), rank: nameRank('turn', path), tier, proof: 'it named us before each of our picks, and not before others’' },
      ...(more.word === undefined ? {} : { word: more.word }),
    })
    const valueIn = ({ values }: Sample) => values.get(path)
    if (says((sample) => valueIn(sample) === true) && isBoolean(cells)) return [make('flag', 0)]
    if (says((sample) => isSame(valueIn(sample), entryOf(sample)))) return [make('entryId', 1)]
    for (const [kind, id] of ids) if (says((sample) => valueIn(sample) === id)) return [make(kind, 2)]
    const seat = seats.find(({ place, numberOf }) => place !== at && says((sample) => isSame(valueIn(sample), numberOf(sample.id ?? ''))))
    if (seat !== undefined && isNumber(cells)) return [make('seat', 3, { own: seat.place })]
    const words = new Set(ours.map(({ sample }) => valueIn(sample)))
    const [word] = words
    if (
      words.size === 1 &&
      isWord(word) &&
      says((sample) => valueIn(sample) === word) &&
      !NOT_NOW.test(path) &&
      (new Set(ours.map(({ sample }) => sample.id)).size >= 2 || theirs.length >= 2)
    )
      return [make('word', 4, { word })]
    return []
  })
}

/** Words of what was, or will be, somebody's turn, or is somebody's for another reason. */
const NOT_NOW = /last|prev|next(?!\w*to)|first|leader|winner|best|top|creator|host|owner|opponent|rival|other|their|decoy/i
const LEAST_TURNS = 3

interface HandEvidence {
  readonly labels: readonly Label[]
  readonly ids: ReadonlyMap<IdKind, string>
  /** Users who sit in the contest of an answer. */
  readonly joined: (sample: Sample) => ReadonlySet<string>
  readonly entryOf: (sample: Sample) => string | undefined
}

/** A place that names one who sits there, now us and now another, and never us before a pick of another's or another before ours. */
function handedIn(columns: readonly Column[], { labels, ids, joined, entryOf }: HandEvidence): Candidate[] {
  const kinds = [...ids].map(([is, id]) => ({ is: is as string, isUs: ({ value }: Cell) => value === id }))
  const all = [...kinds, { is: 'entryId', isUs: ({ sample, value }: Cell) => isSame(value, entryOf(sample)) }]
  return columns.flatMap(({ source, path, cells }) => {
    const filled = cells.filter(({ value, sample }) => sample.isOurs && value !== null && value !== undefined)
    if (NOT_NOW.test(path) || filled.length < LEAST_TURNS) return []
    const rank = nameRank('turn', path)
    const isFlag = OUR_FLAG.test(path) && filled.every(({ value }) => typeof value === 'boolean')
    const tried = isFlag ? [{ is: 'flag', isUs: ({ value }: Cell) => value === true }] : filled.every(isName) ? all : []
    return tried.flatMap(({ is, isUs }): Candidate[] => {
      const says = new Map(filled.map((cell) => [String(cell.sample.n), String(isUs(cell))]))
      const changes = [...groupBy(filled, ({ sample }) => sample.id).values()].flatMap((series) =>
        series.filter((cell, index) => index > 0 && isUs(series[index - 1] ?? cell) !== isUs(cell)),
      )
      // Events name users alone: of other names their own, or picks, have to say that they are of those who sit there.
      const isSeated = filled.every(({ value, sample }) => joined(sample).has(String(value)))
      const sides = new Set(labels.map(({ isOurs }) => isOurs))
      if (changes.length < 2 || (is === 'userId' && !isSeated)) return []
      if (!isSeated && rank === UNNAMED && sides.size < 2) return []
      // A turn may run out between two answers, and the next one be used at once.
      const against = labels.filter(({ sample, isOurs }) => isUs({ sample, value: sample.values.get(path) }) !== isOurs).length
      if (against * 4 > labels.length) return []
      const place = { at: `${source}:${path}`, is }
      return [
        { source, path, place, sample: filled[0]?.value, says, rank, tier: 0, why: 'it goes from hand to hand of those who sit there' },
      ]
    })
  })
}

/** A flag that says by its name whose turn it tells. */
const OUR_FLAG = /(?:your|my|our|you|me)\.?_?\w*(?:turn|clock|pick|move)/i
const isName = ({ value }: Cell): boolean => typeof value === 'string' && value.length >= 2

type TriedEvidence = Omit<HandEvidence, 'labels'>

/** Where it may say whose turn it is: a flag by its name, or a place that names one of those who sit there. */
function triedTurns(columns: readonly Column[], { ids, entryOf, joined }: TriedEvidence): Candidate[] {
  return columns.flatMap(({ source, path, cells }): Candidate[] => {
    if (NOT_NOW.test(path)) return []
    const rank = nameRank('turn', path)
    const ours = cells.filter(({ value, sample }) => sample.isOurs && value !== null && value !== undefined)
    if (ours.length === 0) return []
    const make = (is: string, isChanging: boolean): Candidate[] => [
      {
        ...{ source, path, place: { at: `${source}:${path}`, is }, sample: ours[0]?.value, says: new Map() },
        ...{ rank, tier: (isChanging ? 0 : 2) + (rank === UNNAMED ? 1 : 0) },
      },
    ]
    const isChanging = new Set(ours.map(({ value }) => value)).size > 1
    if (rank !== UNNAMED && ours.every(({ value }) => typeof value === 'boolean')) return make('flag', isChanging)
    const userId = ids.get('userId')
    const isUser = ours.every(({ value, sample }) => typeof value === 'string' && joined(sample).has(value))
    if (isUser && userId !== undefined && (isChanging || rank !== UNNAMED)) return make('userId', isChanging)
    if (rank === UNNAMED && !isChanging) return []
    for (const [kind, id] of ids) if (ours.some(({ value }) => value === id)) return make(kind, isChanging)
    return ours.some(({ value, sample }) => isSame(value, entryOf(sample))) ? make('entryId', isChanging) : []
  })
}

const isSame = (value: unknown, wanted: unknown): boolean => wanted !== undefined && value === wanted
const isBoolean = (cells: readonly Cell[]) =>
  cells.every(({ value }) => typeof value === 'boolean' || value === null || value === undefined)
const isNumber = (cells: readonly Cell[]) => cells.every(({ value }) => Number.isInteger(value) || value === null || value === undefined)

/** A seat's number is steady in each contest and under any capacity; a deadline in whole seconds is neither. */
function seatNumbers(place: string, cells: readonly Cell[]): Seat[] {
  const numbers = new Map<string, number>()
  for (const { sample, value } of cells) {
    if (!sample.isOurs || value === null || value === undefined || sample.id === undefined) continue
    if (!Number.isInteger(value) || (value as number) < 0 || (value as number) > 100) return []
    if (numbers.has(sample.id) && numbers.get(sample.id) !== value) return []
    numbers.set(sample.id, value as number)
  }
  // One that is the same in every contest is ours by its name, or by being there where we sit alone.
  const inOthers = cells.filter(({ sample }) => sample.isOthers)
  const isOurs =
    OWN_SEAT.test(place.slice(place.indexOf(':') + 1)) || (inOthers.length >= 3 && !inOthers.some(({ value }) => Number.isInteger(value)))
  return new Set(numbers.values()).size < 2 && !isOurs ? [] : [{ place, numberOf: (contestId) => numbers.get(contestId) }]
}

const SEAT_NAME = /seat|slot|position|index|place|number|\bno\b|idx|\bn\b|player|order/i

function seatsIn(columns: readonly Column[], rowOf: OwnFound['rowOf']): Seat[] {
  const [cells = []] = columns.map((column) => column.cells)
  const rows = cells.map(({ sample }) => ({ sample, values: pathsIn(rowOf(sample) ?? {}) }))
  const keys = [...new Set(rows.flatMap(({ values }) => [...values.keys()]))].sort().filter((key) => SEAT_NAME.test(key))
  const ofRows = keys.flatMap((key) =>
    seatNumbers(
      `contest:[own].${key}`,
      rows.map(({ sample, values }) => ({ sample, value: values.get(key) })),
    ),
  )
  return [...ofRows, ...columns.filter(isOwnSeat).flatMap(({ path, cells: of }) => seatNumbers(`contest:${path}`, of))]
}

const isOwnSeat = ({ path }: Column): boolean => SEAT_NAME.test(path) && !NOT_OURS.test(path.toLowerCase())
const ownSeats = (columns: readonly Column[]): Seat[] =>
  columns.filter(isOwnSeat).flatMap(({ path, cells }) => seatNumbers(`state:${path}`, cells))

/** A time that is ahead while somebody picks, and moves on. */
function deadlinesIn(columns: readonly Column[]): Candidate[] {
  return columns.flatMap(({ source, path, cells }): Candidate[] => {
    const rank = nameRank('pickBy', path)
    const unit = unitOf(cells)
    if (rank === UNNAMED || unit === undefined) return []
    const says = new Map<string, string>()
    const values = new Set<unknown>()
    for (const { sample, value } of cells) {
      const instant = instantOf(value, unit, sample.at)
      if (instant === undefined) continue
      if (instant > sample.at + 600_000) return []
      values.add(value)
      says.set(String(sample.n), String(Math.round(instant / 2000)))
    }
    if (says.size < 3 || values.size < 3) return []
    return [{ source, path, place: { at: `${source}:${path}`, as: unit }, sample: values.values().next().value, says, rank }]
  })
}

function roundsIn(columns: readonly Column[]): Candidate[] {
  return columns.flatMap(({ source, path, cells }): Candidate[] => {
    const rank = nameRank('round', path)
    const filled = cells.filter(({ value }) => value !== null && value !== undefined)
    const isCount = filled.every(({ value }) => Number.isInteger(value) && (value as number) >= 0 && (value as number) < 100)
    if (rank === UNNAMED || filled.length < 3 || !isCount || new Set(filled.map(({ value }) => value)).size < 2) return []
    const says = new Map(filled.map(({ sample, value }) => [String(sample.n), show(value)]))
    return [{ source, path, sample: filled[0]?.value, says, rank }]
  })
}

/** Lists of what was picked: ours has each of our picks and nothing else, theirs none of them. */
function picksIn(columns: readonly Column[], samples: readonly Sample[]): Finding[] {
  const pickedBy = (sample: Sample) =>
    (sample.contest?.moves ?? []).flatMap(({ type, token, at }) =>
      type === 'draftPick' && at < sample.at && token !== undefined ? [token] : [],
    )
  const ours = samples.filter(({ isOurs }) => isOurs)
  const make = (name: 'mine' | 'theirs', isSo: (mints: readonly string[], picked: readonly string[]) => boolean) =>
    decide(
      name,
      columns
        .filter(({ cells }) => isGrowing(cells))
        .flatMap(({ source, path }): Candidate[] => {
          const told = ours.map((sample) => ({ sample, mints: mintsIn(sample.values.get(path)), picked: pickedBy(sample) }))
          const last = told.filter(({ picked }) => picked.length > 0)
          if (last.length < 3 || !last.every(({ mints, picked }) => isSo(mints, picked))) return []
          const says = new Map(told.map(({ sample, mints }) => [String(sample.n), show(mints)]))
          return [{ source, path, sample: last.at(-1)?.mints.slice(0, 2), says, rank: nameRank(name, path), proof: 'our picks say so' }]
        }),
      ours.length > 0,
    )
  return [
    make(
      'mine',
      (mints, picked) => mints.length >= picked.length && picked.every((mint) => mints.includes(mint)) && mints.length <= picked.length + 1,
    ),
    make('theirs', (mints, picked) => !picked.some((mint) => mints.includes(mint))),
  ]
}
