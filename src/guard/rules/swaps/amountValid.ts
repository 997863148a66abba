import type { SwapRule } from '../../rule.ts'

export const amountValid: SwapRule = ({ amount }) =>
  amount > 0n
    ? undefined
    : { code: 'SWAP_AMOUNT_INVALID', message: `a swap gives more than 0 base units, this one ${amount}`, numbers: { amount } }
