import { compareText, nameRank, UNNAMED } from './finding.ts'
import { holds, isMap, isRow, type Row, sizeOf } from './values.ts'

// Where a list stands in its answer, and where a record begins in its own.

/** A list in an answer: its path, and its rows. */
interface FoundList {
  readonly path: string
  readonly rows: readonly unknown[]
}

const MOST_DEPTH = 4

/** The lists of an answer that are in no other list, an answer that is a list included. */
function listsIn(value: unknown, path = '', depth = 0): FoundList[] {
  if (Array.isArray(value)) return value.every(isRow) ? [{ path, rows: value }] : []
  if (!isRow(value) || isMap(value) || depth > MOST_DEPTH) return []
  return Object.keys(value)
    .sort()
    .flatMap((key) => listsIn(value[key], path === '' ? key : `${path}.${key}`, depth + 1))
}

export type ListName = 'lists.tickets' | 'lists.mine' | 'lists.open'

export interface ListFound {
  readonly verdict: 'proven' | 'found' | 'ambiguous' | 'missing' | 'notSeen'
  readonly path?: string
  readonly paths: readonly string[]
  readonly sample?: unknown
}

/**
 * Finds the list among all answers of one procedure: the one whose rows hold ids that events and moves gave. Empty ones tell where it
 * stands only if there is no other.
 */
export function findList(name: ListName, answers: readonly unknown[], ids: ReadonlySet<string>): ListFound {
  if (answers.length === 0) return { verdict: 'notSeen', paths: [] }
  const seen = answers.map((answer) => listsIn(answer))
  const paths = [...new Set(seen.flatMap((lists) => lists.map(({ path }) => path)))].sort()
  const idsAt = (path: string) =>
    seen.map((lists) => {
      const rows = lists.find((list) => list.path === path)?.rows ?? []
      return new Set([...ids].filter((id) => rows.some((row) => holds(row, new Set([id])))))
    })
  const held = new Map(paths.map((path) => [path, idsAt(path)]))
  const total = (path: string) => (held.get(path) ?? []).reduce((sum, one) => sum + one.size, 0)
  const most = Math.max(0, ...paths.map(total))
  if (most === 0) return withoutIds(name, { paths, seen })
  // A list that has all that another one has, and more, is the whole of which the other is a part.
  const best = paths.filter((path) => total(path) === most)
  const rest = paths.filter((path) => total(path) < most && total(path) > 0)
  const covers = (path: string) =>
    rest.every((other) => (held.get(other) ?? []).every((some, index) => [...some].every((id) => held.get(path)?.[index]?.has(id))))
  const whole = best.filter(covers).toSorted((a, b) => nameRank(name, a) - nameRank(name, b))
  const [path, second] = whole
  const isTied = path !== undefined && second !== undefined && nameRank(name, path) === nameRank(name, second)
  if (path === undefined || isTied) return { verdict: 'ambiguous', paths }
  return {
    verdict: 'proven',
    path,
    paths,
    sample: seen.flatMap((lists) => lists.find((list) => list.path === path)?.rows.slice(0, 1) ?? [])[0],
  }
}

const LEAST_ANSWERS = 3

function withoutIds(
  name: ListName,
  { paths, seen }: { readonly paths: readonly string[]; readonly seen: readonly FoundList[][] },
): ListFound {
  const filled = paths.filter((path) => seen.some((lists) => lists.some((list) => list.path === path && list.rows.length > 0)))
  const [path] = filled.length === 1 ? filled : paths
  const isOne = filled.length === 1 || (filled.length === 0 && paths.length === 1)
  if (path === undefined || seen.length < LEAST_ANSWERS) return { verdict: 'notSeen', paths }
  const isNamed = path === '' || nameRank(name, path) < UNNAMED
  if (!isOne || !isNamed) return { verdict: paths.length > 1 ? 'ambiguous' : 'missing', paths }
  return { verdict: 'found', path, paths }
}

const MOST_WRAPPER_KEYS = 4
const MOST_WRAPPERS = 3

/**
 * Where the record begins in an answer: within something of a few keys, one of which has by far the most in it.
 *
 * @returns '' where nothing wraps it
 */
function recordPathIn(answer: unknown): string {
  let [at, path] = [answer, '']
  for (let depth = 0; depth < MOST_WRAPPERS && isRow(at); depth += 1) {
    const inner = largestIn(at)
    if (inner === undefined) break
    path = path === '' ? inner : `${path}.${inner}`
    at = at[inner]
  }
  return path
}

/** The key of what is wrapped; undefined where this is the record itself. */
function largestIn(row: Row): string | undefined {
  const keys = Object.keys(row)
  const inner = keys.filter((key) => isRow(row[key]) && !isMap(row[key]))
  const [largest] = inner.map((key) => ({ key, size: sizeOf(row[key]) })).sort((a, b) => b.size - a.size || compareText(a.key, b.key))
  const isWrapper = keys.length <= MOST_WRAPPER_KEYS && largest !== undefined && largest.size * 2 > sizeOf(row)
  // What has a value of its own beside a list is a record, and not what wraps one.
  return isWrapper && largest.size > keys.length && !keys.some((key) => Array.isArray(row[key]) && key !== largest.key)
    ? largest.key
    : undefined
}

/** The path that most answers agree on, if all of them have an object there; else ''. */
export function recordPathOf(answers: readonly unknown[]): string {
  const counts = new Map<string, number>()
  for (const answer of answers) {
    const path = recordPathIn(answer)
    counts.set(path, (counts.get(path) ?? 0) + 1)
  }
  const [first] = [...counts].sort(([a, n], [b, m]) => m - n || a.length - b.length || (a < b ? -1 : 1))
  const path = first?.[0] ?? ''
  return answers.every((answer) => isRow(follow(answer, path))) ? path : ''
}

/** What stands at a path of keys; undefined where there is nothing. */
export function follow(value: unknown, path: string): unknown {
  if (path === '') return value
  let at = value
  for (const key of path.split('.')) {
    if (!isRow(at) || !Object.hasOwn(at, key)) return undefined
    at = at[key]
  }
  return at
}
