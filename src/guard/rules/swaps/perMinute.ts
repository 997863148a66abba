import type { SwapRule } from '../../rule.ts'

/** A sweep is let pass: the framework asks for it a few times at most, and traders that are busy must not starve it. */
export const perMinute: SwapRule = ({ type }, { config: { maxSwapsPerMinute }, swapsInMinute: swaps }) => {
  if (type === 'sweep' || swaps < maxSwapsPerMinute) return undefined
  return {
    code: 'SWAPS_IN_MINUTE',
    message: `${swaps} swaps were sent in the last minute, guard.maxSwapsPerMinute is ${maxSwapsPerMinute}`,
    numbers: { swaps, maxSwapsPerMinute },
  }
}
