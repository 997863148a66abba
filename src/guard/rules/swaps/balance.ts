import { symbolOf, USDC_MINT } from '../../../core/tokens.ts'
import { formatUsdc } from '../../../core/usdc.ts'
import type { SwapRule } from '../../rule.ts'

/** USDC that is free, or tokens that this contest's own swaps have bought: what other contests hold stays theirs. */
export const balance: SwapRule = ({ from, amount, contestId }, view) => {
  if (from !== USDC_MINT) {
    const held = view.traded(contestId)?.held(from) ?? 0n
    if (amount <= held) return undefined
    return {
      code: 'SWAP_OVER_BALANCE',
      message: `${amount} base units of ${symbolOf(from)} are more than the ${held} that contest ${contestId} holds`,
      numbers: { token: from, amount, held },
    }
  }
  // `figuresKnown` has refused what cannot be compared.
  if (view.available === undefined) return undefined
  const { value: available } = view.available
  const reserved = view.reservations.unseenSpend
  if (amount <= available - reserved) return undefined
  return {
    code: 'SWAP_OVER_BALANCE',
    message: `a swap of ${formatUsdc(amount)} USDC is more than the ${formatUsdc(available - reserved)} USDC that are free`,
    numbers: { token: from, amount, available, reserved },
  }
}
