import type { SwapRule } from '../../rule.ts'
import type { Refusal } from '../../verdict.ts'

export const slippage: SwapRule = ({ maxSlippageBps }, { config }) =>
  maxSlippageBps === undefined ? undefined : overSlippage(maxSlippageBps, config.maxSlippageBps)

/** What is no whole number of basis points from 0 on is as bad as too many. */
export function overSlippage(slippageBps: number, maxSlippageBps: number): Refusal | undefined {
  if (Number.isInteger(slippageBps) && slippageBps >= 0 && slippageBps <= maxSlippageBps) return undefined
  return {
    code: 'SLIPPAGE_OVER_CAP',
    message: `a slippage of ${slippageBps} bps is not from 0 to guard.maxSlippageBps, ${maxSlippageBps} bps`,
    numbers: { slippageBps, maxSlippageBps },
  }
}
