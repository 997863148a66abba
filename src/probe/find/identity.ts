import type { Named } from '../../contract/shapes/candidates.ts'
import type { Shapes } from '../../contract/shapes/shapes.ts'
import { type Candidate, compareText, decide, type Finding, nameRank, none, UNNAMED } from './finding.ts'
import type { Known } from './known.ts'
import { columnsOf, type Sample, type Seen } from './seen.ts'
import { isId, isMint, isRow, pathsIn, type Row, rowsAt, show } from './values.ts'

// Who we are in the service's words, and which row of a contest is ours: by an id or a mark, never by its position.

export type IdKind = 'agentId' | 'userId' | 'handle'
export type Own = NonNullable<Shapes['own']>

export interface Identity {
  readonly findings: readonly Finding[]
  /** What we are called, by kind. */
  readonly ids: ReadonlyMap<IdKind, string>
}

const KINDS = ['agentId', 'userId', 'handle'] as const
const LEAST_ANSWERS = 3

/** Our own ids in `agent.me`. Steady ones alone, by their names; one that the events say of us is proven. */
export function findIdentity({ me, known, contests, states }: Seen): Identity {
  const steady = new Map<string, string>()
  for (const [path, cells] of columnsOf(me)) {
    const [first] = cells
    const value = first?.value
    if (typeof value === 'string' && value.length >= 2 && cells.every((cell) => cell.value === value)) steady.set(path, value)
  }
  const joined = [...known.joined.values()]
  const isOurs = (value: string) => joined.length > 0 && joined.every((users) => users.has(value))
  const inRows = idsInRows([...contests, ...states])
  const ids = new Map<IdKind, string>()
  const taken = new Set<string>()
  const findings = KINDS.map((kind) => {
    const candidates = [...steady].flatMap(([path, value]) =>
      candidateOf(kind, { path, value, isOurs: isOurs(value), inRows, seen: me.length }),
    )
    const rest = candidates.filter(({ path }) => !taken.has(path))
    const finding = decide(kind, rest, me.length > 0)
    if (typeof finding.sample === 'string') {
      ids.set(kind, finding.sample)
      taken.add(String(finding.place).slice('me:'.length))
    }
    return finding
  })
  return { findings, ids }
}

interface Asked {
  readonly path: string
  readonly value: string
  /** Whether the events of each of our contests name it: we are in each. */
  readonly isOurs: boolean
  readonly inRows: ReadonlyMap<string, boolean>
  readonly seen: number
}

/** Words of things that belong to us, or that we belong to, and are not us. */
const NOT_SELF = /owner|team|org|wallet|bankroll|session|request|trace|key|rank|season|league|contest|ticket|invit|referr/

function candidateOf(kind: IdKind, { path, value, isOurs, inRows, seen }: Asked): Candidate[] {
  const rank = nameRank(kind as Named, path)
  if (rank === UNNAMED || NOT_SELF.test(path.toLowerCase())) return []
  if (kind === 'handle' ? isMint(value) : !isId(value)) return []
  // It has to be an id that is seen on rows, or one that there are answers enough of.
  const isInRows = inRows.get(value) === true
  if (!isOurs && !isInRows && seen < (kind === 'handle' ? 1 : LEAST_ANSWERS)) return []
  // `agent.id` is of the agent; an `id` of something else is not.
  const isDeep =
    kind !== 'handle' &&
    path.split('.').length > 1 &&
    /^(?:id|uid|uuid)$/i.test(path.split('.').at(-1) ?? '') &&
    !/agent|bot|user|account|self|player|member|me/i.test(path)
  if (isDeep) return []
  const proof = isOurs
    ? 'contest.joined names it in each of our contests'
    : isInRows
      ? 'one row in each of our contests has it, and none in others'
      : undefined
  return [{ source: 'me', path, sample: value, says: new Map([['me', value]]), rank, ...(proof === undefined ? {} : { proof }) }]
}

/** Of the texts on rows: whether each of our contests has one in exactly one row of a list, and contests of others in none. */
function idsInRows(samples: readonly Sample[]): ReadonlyMap<string, boolean> {
  const inOurs = new Map<string, Set<string>>()
  const inOthers = new Set<string>()
  const contests = new Set<string>()
  for (const { values, id, isOurs, isOthers } of samples) {
    if (id === undefined || !(isOurs || isOthers)) continue
    for (const value of values.values())
      for (const row of rowsAt(value) ?? [])
        for (const text of pathsIn(row).values()) {
          if (typeof text !== 'string') continue
          if (isOthers) inOthers.add(text)
          else {
            contests.add(id)
            inOurs.set(text, (inOurs.get(text) ?? new Set()).add(id))
          }
        }
  }
  const isEverywhere = (text: string) => contests.size >= 2 && inOurs.get(text)?.size === contests.size
  return new Map([...inOurs.keys()].map((text) => [text, isEverywhere(text) && !inOthers.has(text)]))
}

export interface OwnFound {
  readonly finding: Finding
  readonly own: Own | undefined
  /** Our row, or object, of a contest as it was seen. */
  readonly rowOf: (sample: Sample) => Row | undefined
  /** Our row among those of a mode's state. */
  readonly inState: OwnInState | undefined
  /** What may find our row, where nothing says so for certain. */
  readonly tried?: { readonly own: Own; readonly rowOf: (sample: Sample) => Row | undefined } | undefined
}

export interface OwnInState {
  readonly rows: string
  readonly rowOf: (sample: Sample) => Row | undefined
  /** What finds it, together with what finds our row of a contest. */
  readonly own: Own
}

const FLAG_NAMES = /^(?:you|isyou|me|isme|self|isself|mine|ismine|own|isown|viewer|isviewer|ours|isours|ownedbyyou|ownedbyme|belongstoyou)$/
const OBJECT_NAMES = /^(?:you|me|self|mine|own|viewer|your|my|yourentry|myentry|yourseat|myseat|entry|seat|participation)$/

/** Our row or object in a contest. */
export function findOwn(seen: Seen, identity: Identity): OwnFound {
  const { contests, known } = seen
  const looked = { others: contests.filter(({ isOthers }) => isOthers), ids: identity.ids, least: leastContests(identity) }
  const { others } = looked
  const ours = contests.filter(({ isOurs }) => isOurs)
  const nowhere = { own: undefined, rowOf: () => undefined }
  const found =
    ours.length === 0 ? undefined : (byRows(ours, looked) ?? bySeat(ours, others, known) ?? byFlag(ours, others) ?? byObject(ours, others))
  const inState = ownInState(seen, looked, found?.own)
  if (found === undefined) {
    const [tried] = seatsTried(ours, others)
    return { finding: none('own', ours.length === 0 ? 'notSeen' : 'missing'), ...nowhere, inState, tried }
  }
  const { own, rowOf, verdict, proof } = found
  const [sample] = ours.flatMap((one) => rowOf(one) ?? [])
  return { finding: { name: 'own', verdict, place: own, sample, proof, candidates: [{ place: show(own), sample }] }, own, rowOf, inState }
}

/** Who we are was told by events, or has to show in two contests. */
const leastContests = ({ findings }: Identity): number => (findings.some(({ verdict }) => verdict === 'proven') ? 1 : 2)

function ownInState({ states }: Seen, { ids, least }: Looked, own: Own | undefined): OwnInState | undefined {
  const others = states.filter(({ isOthers }) => isOthers)
  const found = byRows(
    states.filter(({ isOurs }) => isOurs),
    { others, ids, least },
  )
  const by = found !== undefined && 'by' in found.own ? found.own : undefined
  if (found === undefined || by === undefined) return undefined
  const { rows, rowOf } = { rows: by.rows, rowOf: found.rowOf }
  if (own === undefined) return { rows, rowOf, own: by }
  if ('seat' in own) return undefined
  return { rows, rowOf, own: 'by' in own ? { ...own, by: { ...own.by, ...by.by } } : { ...own, ...by } }
}

interface FoundOwn {
  readonly own: Own
  readonly rowOf: (sample: Sample) => Row | undefined
  readonly verdict: 'proven' | 'found'
  readonly proof: string
}

interface Looked {
  readonly others: readonly Sample[]
  readonly ids: ReadonlyMap<IdKind, string>
  /** In so many contests it has to show. */
  readonly least: number
}

/** Every list of rows, and every path in its rows, in order. */
function rowPaths(samples: readonly Sample[]): { readonly rows: string; readonly key: string }[] {
  const found = new Set<string>()
  for (const { values } of samples)
    for (const [rows, value] of values)
      for (const row of rowsAt(value) ?? []) for (const key of pathsIn(row).keys()) found.add(show([rows, key]))
  return [...found].sort().map((text) => {
    const [rows, key] = JSON.parse(text) as [string, string]
    return { rows, key }
  })
}

const rowsWith = (sample: Sample, { rows, key }: { rows: string; key: string }, value: unknown): readonly Row[] =>
  (rowsAt(sample.values.get(rows)) ?? []).filter((row) => pathsIn(row).get(key) === value)

const isInOne = (ours: readonly Sample[], where: { rows: string; key: string }, value: unknown, least = 2): boolean =>
  new Set(ours.map(({ id }) => id)).size >= least &&
  ours.every((sample) => !sample.values.has(where.rows) || rowsWith(sample, where, value).length === 1)

function byRows(ours: readonly Sample[], { others, ids, least }: Looked): FoundOwn | undefined {
  const [found] = rowPaths(ours)
    .flatMap((where) => [...ids].map(([kind, value]) => ({ where, kind, value })))
    .filter(
      ({ where, value }) => isInOne(ours, where, value, least) && others.every((sample) => rowsWith(sample, where, value).length === 0),
    )
    // A list that is in more of the answers, then an id before a name.
    .map((one) => ({ ...one, seen: ours.filter(({ values }) => values.has(one.where.rows)).length }))
    .sort((a, b) => b.seen - a.seen || KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind) || compareText(show(a.where), show(b.where)))
  if (found === undefined || found.seen < (least === 1 ? LEAST_ANSWERS - 1 : LEAST_ANSWERS)) return undefined
  const { where, kind, value } = found
  const contests = new Set(ours.map(({ id }) => id)).size
  return {
    own: { rows: where.rows, by: { [where.key]: kind } },
    rowOf: (sample) => rowsWith(sample, where, value)[0],
    ...{ verdict: contests >= 2 ? 'proven' : 'found', proof: `one row of each of our contests has our ${kind}` },
  }
}

/** Words of the number of a seat that is ours. */
export const OWN_SEAT =
  /(?:your|my|own|self|viewer|you|me)(?:\.|_|(?=[A-Z]))\w*(?:seat|slot|index|position)|^\^?\.?(?:seat|slot)_?(?:no|number|index|idx)$/i

/**
 * The row that the number of our seat counts to, from none. Which row that is an accepted reveal or a join has to say: the number may be
 * counted from one.
 */
function bySeat(ours: readonly Sample[], others: readonly Sample[], { contests }: Known): FoundOwn | undefined {
  const found = seatsTried(ours, others).find(({ rowOf }) => {
    const told = ours.flatMap((sample) => {
      const moves = contests.get(sample.id ?? '')?.moves ?? []
      const said = moves.flatMap(({ type, entryId, side }) =>
        type === 'revealPrediction' && entryId ? [entryId] : type === 'joinContest' && side ? [side] : [],
      )
      const values = [...pathsIn(rowOf(sample) ?? {}).values()]
      return said.map((text) => ({ id: sample.id, text, isRight: values.includes(text) }))
    })
    // An id is on one row alone; a side may be on another one as well.
    const least = told.some(({ text }) => isId(text)) ? 1 : 2
    return new Set(told.map(({ id }) => id)).size >= least && told.every(({ isRight }) => isRight)
  })
  if (found === undefined) return undefined
  return {
    ...found,
    verdict: 'proven',
    proof: 'the row at our seat has what our moves were made with',
  }
}

/** Numbers that may be that of our seat, with each list that they may count in. */
function seatsTried(ours: readonly Sample[], others: readonly Sample[]): { readonly own: Own; readonly rowOf: OwnFound['rowOf'] }[] {
  const numbers = [...columnsOf(ours)].filter(([path, cells]) => OWN_SEAT.test(path) && cells.every(({ value }) => Number.isInteger(value)))
  const lists = [...new Set(rowPaths(ours).map(({ rows }) => rows))]
  const isOfOthers = (path: string) => others.some(({ values }) => Number.isInteger(values.get(path)))
  return numbers
    .filter(([path]) => !isOfOthers(path))
    .flatMap(([seat]) =>
      lists.map((rows) => ({ own: { rows, seat }, rowOf: ({ values }: Sample) => rowsAt(values.get(rows))?.[Number(values.get(seat))] })),
    )
}

/** An object that is there where we sit alone, under a name that means us. */
function byObject(ours: readonly Sample[], others: readonly Sample[]): FoundOwn | undefined {
  const isNamed = (path: string) => OBJECT_NAMES.test((path.split('.').at(-1) ?? '').toLowerCase().replace(/[^a-z]/g, ''))
  // What only holds another object is around ours, and not ours.
  const isOne = (value: unknown) => isRow(value) && Object.values(value).some((item) => !isRow(item))
  const paths = [...columnsOf(ours)].flatMap(([path, cells]) => (isNamed(path) && cells.every(({ value }) => isOne(value)) ? [path] : []))
  const found = paths.filter((path) => others.every(({ values }) => !isRow(values.get(path))))
  const [path, second] = found.sort((a, b) => a.split('.').length - b.split('.').length)
  if (path === undefined || (second !== undefined && !second.startsWith(`${path}.`))) return undefined
  const rowOf = ({ values }: Sample) => {
    const value = values.get(path)
    return isRow(value) ? value : undefined
  }
  return { own: { at: path }, rowOf, verdict: 'found', proof: 'its name; it is there in our contests' }
}

/** A mark that one row of each of our contests has, and no row of others'. */
function byFlag(ours: readonly Sample[], others: readonly Sample[]): FoundOwn | undefined {
  const isNamed = (key: string) => FLAG_NAMES.test((key.split('.').at(-1) ?? '').toLowerCase().replace(/[^a-z]/g, ''))
  const found = rowPaths(ours).filter(
    (where) =>
      isNamed(where.key) &&
      isInOne(ours, where, true) &&
      ours.filter(({ values }) => values.has(where.rows)).length >= LEAST_ANSWERS &&
      others.every((sample) => rowsWith(sample, where, true).length === 0),
  )
  const [where] = found
  if (where === undefined) return undefined
  return {
    own: { rows: where.rows, by: { [where.key]: true } },
    rowOf: (sample) => rowsWith(sample, where, true)[0],
    ...{ verdict: 'found', proof: 'one row of each of our contests is marked' },
  }
}
