import type { Chain, Format, Lane, Mode } from '../../contract/enums.ts'
import type { Usdc } from '../../core/usdc.ts'
import type { ContestsState } from '../state/state.ts'
import type { Contest } from '../types.ts'
import { type ContestRecord, contestRecord } from './contests.ts'
import { type Answer, answer, badChoice, badCursor, DEFAULT_LIMIT, type Page } from './page.ts'

export interface ContestFilters {
  readonly lane?: Lane | undefined
  readonly modes?: readonly Mode[] | undefined
  readonly chain?: Chain | undefined
  readonly format?: Format | undefined
  readonly minStake?: Usdc | undefined
  readonly maxStake?: Usdc | undefined
}

export interface ContestListing extends ContestFilters {
  readonly status?: 'open' | 'live' | undefined
  /** Default `newest`; `stake`: highest first; `filling`: fullest first. Any other is refused. */
  readonly sort?: string | undefined
  readonly cursor?: string | number | null | undefined
  /** Default 20. */
  readonly limit?: number | undefined
}

/** Place in a sorted list, highest first: what it is sorted by, then the order of creation. */
interface Place {
  readonly key: bigint
  readonly seq: number
}

/** The order, then the place in it. */
const CURSOR = /^([a-z]+)-(\d{1,24})-(\d{1,15})$/

const SORT_KEYS: ReadonlyMap<string, (contest: Contest) => bigint> = new Map([
  ['newest', () => 0n],
  ['stake', ({ stake }: Contest) => stake],
  ['filling', ({ entries, capacity }: Contest) => BigInt(Math.floor((entries.length * 10_000) / capacity))],
])

/** Public contests, open and live. A cursor holds a place, so that what comes and goes between pages moves nothing. */
export function listContests(state: ContestsState, viewerId: string, listing: ContestListing): Answer<Page<ContestRecord>> {
  const { cursor = null, limit = DEFAULT_LIMIT, sort = 'newest', status } = listing
  const key = SORT_KEYS.get(sort)
  if (key === undefined) return badChoice('sort', sort, [...SORT_KEYS.keys()])
  const after = cursor === null ? null : readCursor(cursor, sort)
  if (cursor !== null && after === null) return badCursor(cursor)
  const found = [...publicContests(state, listing)].filter((contest) => status === undefined || contest.status === status)
  const placed = found
    .map((contest) => ({ contest, key: key(contest), seq: contest.seq }))
    .filter((place) => after === null || compare(after, place) < 0)
    .sort(compare)
  const shown = placed.slice(0, limit)
  const last = shown.at(-1)
  const nextCursor = last === undefined || placed.length === shown.length ? null : `${sort}-${last.key}-${last.seq}`
  return answer({ items: shown.map(({ contest }) => contestRecord(state, contest, viewerId)), nextCursor })
}

/** How many public contests are open and live, in all and by mode. */
export function countContests(state: ContestsState, filters: ContestFilters) {
  const count = { open: 0, live: 0, total: 0 }
  const byMode: Partial<Record<Mode, number>> = {}
  for (const { status, mode } of publicContests(state, filters)) {
    count[status === 'live' ? 'live' : 'open'] += 1
    count.total += 1
    byMode[mode] = (byMode[mode] ?? 0) + 1
  }
  return { ...count, byMode }
}

function* publicContests({ index }: ContestsState, filters: ContestFilters): Iterable<Contest> {
  for (const contests of [index.open, index.live])
    for (const contest of contests) if (contest.visibility === 'public' && fits(contest, filters)) yield contest
}

function fits(contest: Contest, { lane, modes, chain, format, minStake, maxStake }: ContestFilters): boolean {
  return (
    (lane === undefined || contest.lane === lane) &&
    (modes === undefined || modes.length === 0 || modes.includes(contest.mode)) &&
    (chain === undefined || contest.chain === chain) &&
    (format === undefined || contest.format === format) &&
    (minStake === undefined || contest.stake >= minStake) &&
    (maxStake === undefined || contest.stake <= maxStake)
  )
}

function compare(a: Place, b: Place): number {
  if (a.key !== b.key) return a.key > b.key ? -1 : 1
  return b.seq - a.seq
}

/** The place a cursor holds; null for one that no list sorted like this gave. */
function readCursor(cursor: string | number, sort: string): Place | null {
  const match = CURSOR.exec(String(cursor))
  return match?.[1] === sort ? { key: BigInt(match[2] ?? 0), seq: Number(match[3]) } : null
}
