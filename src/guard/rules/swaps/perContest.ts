import { isSale } from '../../feedValue.ts'
import type { SwapRule } from '../../rule.ts'

/** A sale is let pass: whatever was swapped in a contest, what it holds may be sold. */
export const perContest: SwapRule = (action, view) => {
  const { contestId } = action
  const { maxSwapsPerContest } = view.config
  const swaps = view.traded(contestId)?.swaps ?? 0
  if (isSale(action) || swaps < maxSwapsPerContest) return undefined
  return {
    code: 'SWAPS_IN_CONTEST',
    message: `${swaps} swaps were made in contest ${contestId}, guard.maxSwapsPerContest is ${maxSwapsPerContest}`,
    numbers: { contestId, swaps, maxSwapsPerContest },
  }
}
