import { identityOf } from '../../identity.ts'
import type { SwapRule } from '../../rule.ts'

/** One unresolved swap a wallet: while one may have landed, what the wallet holds is not known. */
export const unresolved: SwapRule = (action, view) => {
  const intent = view.reservations.pendingTwin(identityOf(action))
  if (intent === undefined) return undefined
  return { code: 'SWAP_UNRESOLVED', message: `a swap of this wallet, ${intent}, is still without an outcome`, numbers: { intent } }
}
