import { isTradingMode } from '../../contract/modes.ts'
import { type Usdc, usdc } from '../../core/usdc.ts'
import { lossOf, valueOfMicro } from '../feedValue.ts'
import { entryRule } from '../rule.ts'
import type { GuardView } from '../view.ts'

/** A smaller first swap is no play. */
const LEAST_SWAP = usdc('1')

/** The most that the first swaps of open contests, and of one more, can cost: each is at most `guard.maxSwap`. */
export function firstSwapsRisk(view: GuardView, own: { readonly contestId?: string; readonly mode?: string }): Usdc {
  const { maxSwap, maxFeedGapBps } = view.config
  const count = view.unswapped(own.contestId) + (own.mode !== undefined && isTradingMode(own.mode) ? 1 : 0)
  return BigInt(count) * lossOf(valueOfMicro(maxSwap), maxFeedGapBps)
}

/** USDC that a first swap in the mode needs beside the stake. */
export const firstSwapOf = (mode: string): Usdc => (isTradingMode(mode) ? LEAST_SWAP : 0n)

/** No more contests of swaps at once than first swaps fit into a minute. */
export const firstSwaps = entryRule(({ mode }, view) => {
  const { maxSwapsPerMinute } = view.config
  if (!isTradingMode(mode)) return undefined
  const unswapped = view.unswapped()
  if (unswapped < maxSwapsPerMinute) return undefined
  return {
    code: 'FIRST_SWAPS',
    message: `${unswapped} contests wait for their first swap, as many as guard.maxSwapsPerMinute, ${maxSwapsPerMinute}, lets out in a minute`,
    numbers: { mode, unswapped, maxSwapsPerMinute },
  }
})
