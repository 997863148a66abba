import { formatUsdc } from '../../../core/usdc.ts'
import { feedValue, toMicroUp, valueOfMicro } from '../../feedValue.ts'
import type { SwapRule } from '../../rule.ts'

/** A sweep is let pass: a holding that has grown past the cap is still sold. */
export const size: SwapRule = ({ type, from, amount }, view) => {
  const { maxSwap } = view.config
  const exact = feedValue(amount, from, view)
  if (type === 'sweep' || exact === undefined || exact <= valueOfMicro(maxSwap)) return undefined
  const value = toMicroUp(exact)
  return {
    code: 'SWAP_TOO_LARGE',
    message: `a swap of ${formatUsdc(value)} USDC is above guard.maxSwap, ${formatUsdc(maxSwap)} USDC`,
    numbers: { value, maxSwap },
  }
}
