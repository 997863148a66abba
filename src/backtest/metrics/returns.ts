import { sampleStandardDeviation } from 'simple-statistics'
import type { Result } from '../../contract/enums.ts'
import type { PlayedContest } from '../result.ts'

type Decided<C> = C & { readonly result: Exclude<Result, 'REFUND'> }

/** The contests that are observations: settled, and not by a refund. */
export function decidedOf<C extends Pick<PlayedContest, 'result'>>(contests: readonly C[]): Decided<C>[] {
  return contests.filter((contest): contest is Decided<C> => contest.result !== null && contest.result !== 'REFUND')
}

/** Profit ÷ stake of each observation, in the order of their ends: 0.9 is 90 % of the stake. */
export function returnsOf(contests: readonly PlayedContest[]): number[] {
  return decidedOf(contests).map(({ profit, stake }) => Number(profit) / Number(stake))
}

/**
 * The standard deviation of a sample (n - 1); null where nothing varies. Equal returns are found by comparing them:
 * rounding in their mean would make the deviation a tiny number, and a ratio over it a huge one.
 */
export function deviationOf(returns: readonly number[]): number | null {
  return returns.every((value) => value === returns[0]) ? null : sampleStandardDeviation([...returns])
}
