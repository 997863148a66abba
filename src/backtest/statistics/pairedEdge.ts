import { mean, sampleStandardDeviation, sum } from 'simple-statistics'
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
  const [b, a] = [sideOf(ours, bounds), sideOf(theirs, bounds)]
  const differences = b.errors.map((error, chunk) => error - (a.errors[chunk] ?? 0))
  const chunks = differences.length
  const error = sampleStandardDeviation(differences) / Math.sqrt(chunks)
  if (error === 0) return undefined
  const difference = b.edge - a.edge
  const margin = studentBound(WITHIN, chunks - 1) * error
  return {
    ...{ contests: ours.length, against: theirs.length, shared: sharedBy(ours, theirs), chunks },
    ...{ edge: b.edge, edgeAgainst: a.edge, difference, low: difference - margin, high: difference + margin },
    p: studentBeyond(difference / error, chunks - 1),
    contestsNeeded: contestsNeeded(difference, error * Math.sqrt(ours.length)),
  }
}

/** Where chunks end: with as many contests of the other run in each. */
function boundsOf(contests: readonly PairedContest[]): readonly number[] {
  const entered = contests.map(({ enteredAt }) => enteredAt).sort((x, y) => x - y)
  const chunks = Math.min(MOST_CHUNKS, Math.max(LEAST_CHUNKS, Math.floor(entered.length / CONTESTS_A_CHUNK)))
  return Array.from({ length: chunks - 1 }, (_, index) => entered[Math.floor(((index + 1) * entered.length) / chunks)] ?? 0)
}

interface Side {
  readonly edge: number
  /** Of each chunk, how far its profit lies from what its stakes make at the edge, in mean stakes of a chunk. */
  readonly errors: readonly number[]
}

function sideOf(contests: readonly PairedContest[], bounds: readonly number[]): Side {
  const profits = Array.from({ length: bounds.length + 1 }, () => 0)
  const stakes = profits.slice()
  for (const { enteredAt, stake, profit, swapProfit } of contests) {
    const past = bounds.findIndex((bound) => enteredAt < bound)
    const chunk = past < 0 ? bounds.length : past
    profits[chunk] = (profits[chunk] ?? 0) + Number(profit + swapProfit)
    stakes[chunk] = (stakes[chunk] ?? 0) + Number(stake)
  }
  const edge = sum(profits) / sum(stakes)
  const meanStake = mean(stakes)
  return { edge, errors: profits.map((profit, chunk) => (profit - edge * (stakes[chunk] ?? 0)) / meanStake) }
}

function sharedBy(ours: readonly PairedContest[], theirs: readonly PairedContest[]): number {
  const keyOf = ({ contestId, startsAt }: PairedContest) => `${contestId} ${startsAt}`
  const known = new Set(theirs.map(keyOf))
  return ours.filter((contest) => known.has(keyOf(contest))).length
}
