import { sampleStandardDeviation } from 'simple-statistics'
import { decidedOf } from '../metrics/returns.ts'
import type { PlayedContest } from '../result.ts'
import { contestsNeeded } from './edge.ts'
import { studentBeyond, studentBound } from './student.ts'

/** What the test needs of a contest. */
export type PairedContest = Pick<PlayedContest, 'contestId' | 'enteredAt' | 'startsAt' | 'stake' | 'profit' | 'swapProfit' | 'result'>

/** How much more one run makes a unit staked than another one on the same contests. A share: 0.05 is 5 % of the stake. */
export interface PairedEdge {
  /** Settled contests of each side, refunds left out, and how many of them are the same: equal in id and start. */
  readonly contests: number
  readonly against: number
  readonly shared: number
  /** Ranges of time that were compared. */
  readonly chunks: number
  /** Profit of contests and of their swaps, a unit staked, of each side. */
  readonly edge: number
  readonly edgeAgainst: number
  readonly difference: number
  /** Its 95 % interval. */
  readonly low: number
  readonly high: number
  /** The probability of such a difference, or a larger one to either side, where there is none. */
  readonly p: number
  /** Contests that it would take to tell this difference from zero, with a power of 80 %; null for a difference of 0. */
  readonly contestsNeeded: number | null
}

const [LEAST_CHUNKS, MOST_CHUNKS] = [10, 30]
const CONTESTS_A_CHUNK = 24
/** Of the other run: with fewer, a chunk has hardly any. */
export const LEAST_PAIRED = 90
const WITHIN = 0.95

/**
 * Compares two runs by ranges of time, in which the same luck befell both. Contests of one time depend on one another, so that a test of
 * single contests finds differences where there are none. A contest that one side alone has entered counts on that side: to leave it out would reward not
 * entering.
 *
 * Of chunk c with profit P and stakes S of the sides B and A, of edges e, it takes d = (P_B − e_B·S_B) ÷ S̄_B − (P_A − e_A·S_A) ÷ S̄_A, which is the delta
 * method for a difference of two ratios; t = (e_B − e_A) ÷ (sd(d) ÷ √C), with C − 1 degrees of freedom. William Cochran (1977), Sampling Techniques, chapter 6.
 *
 * @param own of one run, and `other` of the run it is compared with
 * @returns undefined where either has too few contests (`LEAST_PAIRED`), or nothing varies
 */
export function pairedEdge(own: readonly PairedContest[], other: readonly PairedContest[]): PairedEdge | undefined {
  const [ours, theirs] = [decidedOf(own), decidedOf(other)]
  if (ours.length < LEAST_PAIRED || theirs.length < LEAST_PAIRED) return undefined
  const bounds = boundsOf(theirs)
  const found = chunkedDifference(chunksOf(ours, bounds), chunksOf(theirs, bounds))
  if (found === undefined) return undefined
  const { edge, edgeAgainst, difference, error, chunks } = found
  const { low, high } = intervalOf(found)
  return {
    ...{ contests: ours.length, against: theirs.length, shared: sharedBy(ours, theirs), chunks },
    ...{ edge, edgeAgainst, difference, low, high },
    p: studentBeyond(difference / error, chunks - 1),
    contestsNeeded: contestsNeeded(difference, error * Math.sqrt(ours.length)),
  }
}

/** What a range of time has made and staked, in micro-USDC. */
export interface Chunk {
  readonly profit: number
  readonly stake: number
}

/** The difference of two edges over the same ranges of time, as `pairedEdge` takes it. */
export interface ChunkedDifference {
  readonly chunks: number
  readonly edge: number
  readonly edgeAgainst: number
  readonly difference: number
  /** Its standard error: the deviation of what the chunks differ by, over the root of how many there are. Above 0. */
  readonly error: number
}

/**
 * Compares two sides chunk by chunk, where the chunks are known.
 *
 * @param own as many as of `other`, of the same ranges of time
 * @returns undefined below two chunks, where a side has no stakes, and where nothing varies
 */
export function chunkedDifference(own: readonly Chunk[], other: readonly Chunk[]): ChunkedDifference | undefined {
  const [b, a] = [sideOf(own), sideOf(other)]
  if (own.length < 2 || b === undefined || a === undefined) return undefined
  const differences = b.errors.map((error, chunk) => error - (a.errors[chunk] ?? 0))
  const error = sampleStandardDeviation(differences) / Math.sqrt(differences.length)
  if (error === 0) return undefined
  return { chunks: differences.length, edge: b.edge, edgeAgainst: a.edge, difference: b.edge - a.edge, error }
}

/** The 95 % interval of a difference: Student's, with one degree of freedom less than chunks. */
export function intervalOf({ difference, error, chunks }: ChunkedDifference): { readonly low: number; readonly high: number } {
  const margin = studentBound(WITHIN, chunks - 1) * error
  return { low: difference - margin, high: difference + margin }
}

/** The standard error of the difference, of which its interval was made. */
export function standardErrorOf({ low, high, chunks }: Pick<PairedEdge, 'low' | 'high' | 'chunks'>): number {
  return (high - low) / 2 / studentBound(WITHIN, chunks - 1)
}

/** What these contests have made and staked, as one chunk. Refunds and cancelled contests are left out. */
export function chunkOf(contests: readonly PairedContest[]): Chunk {
  let [profit, stake] = [0, 0]
  for (const contest of decidedOf(contests)) {
    profit += Number(contest.profit + contest.swapProfit)
    stake += Number(contest.stake)
  }
  return { profit, stake }
}

/** Where chunks end: with as many contests of the other run in each. */
function boundsOf(contests: readonly PairedContest[]): readonly number[] {
  const entered = contests.map(({ enteredAt }) => enteredAt).sort((x, y) => x - y)
  const chunks = Math.min(MOST_CHUNKS, Math.max(LEAST_CHUNKS, Math.floor(entered.length / CONTESTS_A_CHUNK)))
  return Array.from({ length: chunks - 1 }, (_, index) => entered[Math.floor(((index + 1) * entered.length) / chunks)] ?? 0)
}

function chunksOf(contests: readonly PairedContest[], bounds: readonly number[]): readonly Chunk[] {
  const chunks: PairedContest[][] = Array.from({ length: bounds.length + 1 }, () => [])
  for (const contest of contests) {
    const past = bounds.findIndex((bound) => contest.enteredAt < bound)
    chunks.at(past)?.push(contest)
  }
  return chunks.map(chunkOf)
}

interface Side {
  readonly edge: number
  /** Of each chunk, how far its profit lies from what its stakes make at the edge, in mean stakes of a chunk. */
  readonly errors: readonly number[]
}

function sideOf(chunks: readonly Chunk[]): Side | undefined {
  let [profits, stakes] = [0, 0]
  for (const { profit, stake } of chunks) {
    profits += profit
    stakes += stake
  }
  if (stakes === 0) return undefined
  const edge = profits / stakes
  const meanStake = stakes / chunks.length
  return { edge, errors: chunks.map(({ profit, stake }) => (profit - edge * stake) / meanStake) }
}

function sharedBy(ours: readonly PairedContest[], theirs: readonly PairedContest[]): number {
  const keyOf = ({ contestId, startsAt }: PairedContest) => `${contestId} ${startsAt}`
  const known = new Set(theirs.map(keyOf))
  return ours.filter((contest) => known.has(keyOf(contest))).length
}

/** How far `own` is ahead in each of the ranges of time that `pairedEdge` compares: differences of edges, in the order of time. */
export function chunkDifferences(own: readonly PairedContest[], other: readonly PairedContest[]): number[] {
  const [ours, theirs] = [decidedOf(own), decidedOf(other)]
  const bounds = boundsOf(theirs)
  const [b, a] = [chunksOf(ours, bounds), chunksOf(theirs, bounds)]
  const edge = (chunk: Chunk | undefined) => (chunk === undefined || chunk.stake === 0 ? 0 : chunk.profit / chunk.stake)
  return b.map((chunk, index) => edge(chunk) - edge(a[index]))
}
