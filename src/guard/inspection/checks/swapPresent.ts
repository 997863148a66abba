import { refusal } from '../codes.ts'
import { actsOf, type Check } from './check.ts'
import { isExchange } from './transferPair.ts'

/** Exactly one swap, and one that can be read: an instruction of a known program, or an exchange of two transfers. */
export const swapPresent: Check = (subject) => {
  const [unreadable] = actsOf(subject, 'unreadableSwap')
  if (unreadable) {
    const { instruction, why } = unreadable
    return refusal('TX_SWAP_UNREADABLE', `${instruction} cannot be read: ${why}`, { instruction })
  }
  const swaps = actsOf(subject, 'swap').length
  if (swaps > 1) return refusal('TX_SWAP_REPEATED', `it holds ${swaps} swaps`, { swaps })
  if (swaps === 1 || isExchange(subject)) return undefined
  return refusal('TX_NOT_THE_SWAP', 'it holds no swap of the two tokens')
}
