import { isSale } from '../../feedValue.ts'
import type { SwapRule } from '../../rule.ts'

/**
 * Holds back neither a sale, which ends a risk, nor the first swap of a contest, without which its stake is lost: `firstSwaps` has bounded
 * these. Other swaps leave room for the first ones of other contests.
 */
export const perMinute: SwapRule = (action, view) => {
  const { contestId } = action
  if (isSale(action) || (view.traded(contestId)?.swaps ?? 0) === 0) return undefined
  const { maxSwapsPerMinute } = view.config
  const [swaps, unswapped] = [view.swapsInMinute, view.unswapped(contestId)]
  if (swaps + unswapped < maxSwapsPerMinute) return undefined
  const kept = unswapped === 0 ? '' : `, and ${unswapped} are kept for contests that had none yet`
  return {
    code: 'SWAPS_IN_MINUTE',
    message: `${swaps} swaps were sent in the last minute${kept}, guard.maxSwapsPerMinute is ${maxSwapsPerMinute}`,
    numbers: { swaps, unswapped, maxSwapsPerMinute },
  }
}
