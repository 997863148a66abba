import { type Candidate, decide, type Finding, nameRank, none, orTried, UNNAMED } from './finding.ts'
import type { Identity, OwnFound } from './identity.ts'
import { columnsOf, type Sample, type Seen } from './seen.ts'
import { type Column, columnsIn, type Steady, saysOf, steadyIn } from './steady.ts'
import { isId, isRow, pathsIn, type Row, rowsAt } from './values.ts'

// Our own entry in a contest. Never one because it is the only id about: it is ours by an accepted reveal, by our own row or object, or by its
// name. What is there where we sit alone may be tried.

/** Words of what is somebody else's, or by turns everybody's. */
export const NOT_OURS =
  /opponent|opp\b|rival|other|their|them|enemy|leader|winner|best|top|turn|current|last|prev|next|first|creator|host|owner|clock|picker|drafter|active|decoy|parent|source|template|sibling|match(?!es)|queue|request|trace|audit|ticket|team|league|season|round|house|bot\b|against|versus/

const LEAST_ANSWERS = 2

export function findEntry(seen: Seen, { ids }: Identity, found: OwnFound): Finding {
  const { inState } = found
  // By a row that is only tried nothing is told; what an accepted reveal was made with is.
  const { own, rowOf } = found.own === undefined && found.tried !== undefined ? found.tried : found
  const isTried = found.own === undefined
  const { states, contests, known } = seen
  const samples = [...states, ...contests].filter(({ id }) => id !== undefined)
  const ours = samples.filter(({ isOurs }) => isOurs)
  if (ours.length === 0) return none('entryId', 'notSeen')
  const hasRows = own !== undefined && 'rows' in own
  const columns = [
    ...columnsIn(samples),
    ...(hasRows ? rowColumns(contests, rowOf) : []),
    ...(inState === undefined ? [] : rowColumns(states, inState.rowOf, { source: 'state', rows: inState.rows })),
  ]
  const moves = [...known.contests.values()].flatMap(({ contestId, moves: of }) => of.map((move) => ({ contestId, move })))
  const notEntries = new Set([
    ...known.contests.keys(),
    ...known.tickets.keys(),
    ...ids.values(),
    ...[...known.joined.values()].flatMap((users) => [...users]),
    ...moves.flatMap(({ move }) => move.commitment ?? []),
    ...idsOfOthers(contests, rowOf),
    ...(inState === undefined ? [] : idsOfOthers(states, inState.rowOf)),
  ])
  const reveals = moves.flatMap(({ contestId, move: { type, entryId } }) =>
    type === 'revealPrediction' && entryId ? [[contestId, entryId] as const] : [],
  )
  const objects = ownObjects(contests)
  const rowIds = idsIn(
    [...contests, ...states].flatMap((sample) => {
      const at = sample.source === 'state' ? inState?.rowOf(sample) : rowOf(sample)
      const inObjects = sample.source === 'state' ? [] : objects.map((path) => sample.values.get(path)).filter(isRow)
      return [at, ...inObjects].flatMap((row) => (row === undefined ? [] : [{ sample, row }]))
    }),
    notEntries,
  )
  const steady = steadyIn(columns, (value, { sample }) =>
    sample.isOurs ? (isId(value) && !notEntries.has(value) ? value : undefined) : null,
  )
  const candidates = steady.flatMap((one) => candidateOf(one, { reveals, rowIds }))
  const told = candidates.filter(({ isTold, proof, path }) => isTold && (proof !== undefined || !isTried || !path.startsWith('[own]')))
  return orTried(decide('entryId', withoutWeaker(told), true), candidates)
}

interface EntryCandidate extends Candidate {
  /** Whether it says enough to be taken; else it may be tried. */
  readonly isTold: boolean
}

/** Where something is told by its row or by a move, a mere name that says something else does not count. */
function withoutWeaker(candidates: readonly Candidate[]): readonly Candidate[] {
  const least = Math.min(...candidates.map(({ tier = 0 }) => tier))
  return candidates.filter(({ tier = 0 }) => tier === least)
}

interface Evidence {
  readonly reveals: readonly (readonly [contestId: string, entryId: string])[]
  /** What our row calls itself, by contest. */
  readonly rowIds: ReadonlyMap<string, ReadonlySet<string>>
}

function candidateOf({ source, path, byContest, cells, seen }: Steady<string>, { reveals, rowIds }: Evidence): EntryCandidate[] {
  const rank = nameRank('entryId', path.replace(/^.*\[own\]\./, 'you.'))
  const isDistinct = new Set(byContest.values()).size === byContest.size
  const inOthers = cells.some(({ sample, value }) => sample.isOthers && isId(value))
  if (!isDistinct || (inOthers && !path.includes('[own]'))) return []
  const sawReveals = reveals.filter(([contestId]) => byContest.has(contestId))
  if (sawReveals.some(([contestId, entryId]) => byContest.get(contestId) !== entryId)) return []
  const isRevealed = sawReveals.length > 0
  const isOfRow = [...byContest].every(([contestId, id]) => rowIds.get(contestId)?.has(id) === true)
  const isNotOurs = NOT_OURS.test(path.toLowerCase())
  const isNamed = rank !== UNNAMED && !isNotOurs
  // What only we are shown may be tried: contests of others have nothing there.
  const isAlone = !isNotOurs && cells.some(({ sample }) => sample.isOthers)
  if (!isRevealed && !isNamed && !isOfRow && !isAlone) return []
  // Places that were not there where it is needed come after those that were.
  const missed = cells.filter(({ sample, value }) => sample.isOurs && sample.stage === 'live' && !isId(value)).length
  const proof = isRevealed ? 'an accepted reveal was made with it' : undefined
  const tier = isRevealed ? 0 : isOfRow && isNamed ? 1 : isNamed ? 2 : isOfRow ? 3 : 4
  const says = saysOf(byContest)
  const isTold = isRevealed || (tier < 4 && byContest.size >= 2 && seen >= LEAST_ANSWERS)
  const order = rank + (missed > 0 ? UNNAMED : 0) + (path.includes('[own]') && source === 'state' ? 1 : 0)
  return [{ source, path, sample: byContest.values().next().value, says, rank: order, tier, proof, isTold }]
}

/** The values of our own rows, as columns. */
export function rowColumns(
  samples: readonly Sample[],
  rowOf: OwnFound['rowOf'],
  { source, rows: at }: { readonly source: 'contest' | 'state'; readonly rows: string } = { source: 'contest', rows: '' },
): Column[] {
  const rows = samples.map((sample) => ({ sample, values: pathsIn(rowOf(sample) ?? {}) }))
  const keys = [...new Set(rows.flatMap(({ values }) => [...values.keys()]))].sort()
  return keys.map((key) => ({
    ...{ source, path: `${at}[own].${key}` },
    cells: rows.map(({ sample, values }) => ({ sample, value: values.get(key) })),
  }))
}

function idsIn(
  rows: readonly { readonly sample: Sample; readonly row: Row }[],
  not: ReadonlySet<string>,
): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, Set<string>>()
  for (const { sample, row } of rows) {
    if (sample.id === undefined || !sample.isOurs) continue
    const ids = found.get(sample.id) ?? new Set()
    for (const value of pathsIn(row).values()) if (isId(value) && !not.has(value)) ids.add(value)
    found.set(sample.id, ids)
  }
  return found
}

/** Ids on the rows of others, in lists that have a row of ours. */
function idsOfOthers(samples: readonly Sample[], rowOf: OwnFound['rowOf']): readonly string[] {
  return samples.flatMap((sample) => {
    const own = rowOf(sample)
    const lists = [...sample.values.values()].map(rowsAt).filter((rows) => own !== undefined && rows?.includes(own) === true)
    return lists.flatMap((rows) => (rows ?? []).filter((row) => row !== own).flatMap((row) => [...pathsIn(row).values()].filter(isId)))
  })
}

/** Objects that are there where we sit, and in no contest of others. */
function ownObjects(contests: readonly Sample[]): readonly string[] {
  const others = new Set(contests.filter(({ isOthers }) => isOthers).map(({ id }) => id))
  if (others.size < 2) return []
  return [...columnsOf(contests)].flatMap(([path, cells]) =>
    !NOT_OURS.test(path.toLowerCase()) &&
    cells.every(({ sample, value }) => (sample.isOurs ? isRow(value) : !sample.isOthers || !isRow(value)))
      ? [path]
      : [],
  )
}
