import { mean, quantile, sampleWithReplacement } from 'simple-statistics'
import { keyedRandom } from '../../core/random.ts'
import { deviationOf, returnsOf } from '../metrics/returns.ts'
import type { PlayedContest } from '../result.ts'

/** What a contest makes for each unit staked, and how sure that is. A share: 0.05 is 5 % of the stake. */
export interface Edge {
  /** Settled contests that were not refunded. */
  readonly observations: number
  /** The mean return; null without an observation. */
  readonly mean: number | null
  /** The bounds of its 95 % interval; null below 10 observations, and where nothing varies: equal returns resample to themselves. */
  readonly low: number | null
  readonly high: number | null
  /** How many contests it would take to tell this edge from zero; null below 10 observations, for an edge of 0, and where nothing varies. */
  readonly contestsNeeded: number | null
}

/**
 * Of n observations there are C(2n - 1, n) distinct resamples (Efron and Tibshirani, 1993, chapter 6): 92,378 of ten, and
 * so few of five, 126, that the interval would be a matter of which.
 */
const LEAST_FOR_INTERVAL = 10
/** Twice the 1,000 that Efron and Tibshirani (1993), chapter 13, use where percentiles are read off. */
const RESAMPLES = 2000
/** The standard normal's quantiles at 0.975 (two-sided error of 5 %) and at 0.8 (power of 80 %). */
const Z_ERROR = 1.959963984540054
const Z_POWER = 0.8416212335729143

/**
 * The edge of these contests, with its percentile bootstrap interval: the 2.5 % and 97.5 % quantiles of the means of
 * 2,000 resamples. Equal contests and seeds give equal intervals.
 *
 * Bradley Efron and Robert J. Tibshirani (1993), An Introduction to the Bootstrap, chapter 13. Contests needed: a
 * two-sided one-sample z test, n = ((z₀.₉₇₅ + z₀.₈) × sd ÷ mean)², rounded up; Shein-Chung Chow, Jun Shao and Hansheng
 * Wang (2008), Sample Size Calculations in Clinical Research, part 3.1.
 */
export function edgeOf(contests: readonly PlayedContest[], seed: number): Edge {
  const returns = returnsOf(contests)
  const observations = returns.length
  if (observations === 0) return { observations, mean: null, low: null, high: null, contestsNeeded: null }
  const edge = mean(returns)
  if (observations < LEAST_FOR_INTERVAL || returns.every((share) => share === returns[0]))
    return { observations, mean: edge, low: null, high: null, contestsNeeded: null }
  const { next } = keyedRandom(seed, 'edge')
  const means = Array.from({ length: RESAMPLES }, () => mean(sampleWithReplacement(returns, observations, next)))
  const [low = null, high = null] = quantile(means, [0.025, 0.975])
  return { observations, mean: edge, low, high, contestsNeeded: contestsNeeded(edge, deviationOf(returns)) }
}

/** How many observations tell a mean from zero that varies so much; null where no number does, or nothing varies. */
export function contestsNeeded(edge: number, deviation: number | null): number | null {
  if (deviation === null) return null
  const needed = Math.ceil((((Z_ERROR + Z_POWER) * deviation) / edge) ** 2)
  // An edge of 0, or one that is only the rounding of a sum that cancels out, is told from zero by no number of contests.
  return Number.isSafeInteger(needed) ? needed : null
}
