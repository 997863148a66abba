import type { SwapRule } from '../../rule.ts'

/** A sweep is let pass: whatever was swapped in a contest, what is left of it is sold. */
export const perContest: SwapRule = ({ type, contestId }, view) => {
  const { maxSwapsPerContest } = view.config
  const swaps = view.traded(contestId)?.swaps ?? 0
  if (type === 'sweep' || swaps < maxSwapsPerContest) return undefined
  return {
    code: 'SWAPS_IN_CONTEST',
    message: `${swaps} swaps were made in contest ${contestId}, guard.maxSwapsPerContest is ${maxSwapsPerContest}`,
    numbers: { contestId, swaps, maxSwapsPerContest },
  }
}
