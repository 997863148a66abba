import { symbolOf } from '../../../core/tokens.ts'
import type { SwapRule } from '../../rule.ts'

export const tokensDiffer: SwapRule = ({ from, to }) =>
  from === to
    ? { code: 'SWAP_SAME_TOKEN', message: `a swap of ${symbolOf(from)} for itself only costs`, numbers: { token: from } }
    : undefined
