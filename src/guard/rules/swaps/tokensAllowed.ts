import { type Mint, symbolOf, USDC_MINT } from '../../../core/tokens.ts'
import type { SwapAction } from '../../../strategy/action.ts'
import type { SwapRule } from '../../rule.ts'
import type { Refusal } from '../../verdict.ts'
import type { GuardView } from '../../view.ts'

/**
 * Tokens of `guard.tokens`, and of a contest about one token only that. USDC is always allowed. A sweep sells whatever
 * is left, and only into USDC: it is no way around the caps on swaps.
 */
export const tokensAllowed: SwapRule = (action, view) => {
  if (action.type === 'sweep') return action.to === USDC_MINT ? undefined : refusal(action.to, 'a sweep sells into USDC')
  return notAllowed(action.from, action, view) ?? notAllowed(action.to, action, view)
}

function notAllowed(mint: Mint, { contestId }: SwapAction, view: GuardView): Refusal | undefined {
  if (mint === USDC_MINT) return undefined
  if (view.config.tokens?.includes(mint) === false) return refusal(mint, `${symbolOf(mint)} is not among guard.tokens`)
  const only = view.traded(contestId)?.token
  if (only === undefined || only === mint) return undefined
  return refusal(mint, `contest ${contestId} is about ${symbolOf(only)}, not ${symbolOf(mint)}`)
}

const refusal = (token: Mint, message: string): Refusal => ({ code: 'TOKEN_NOT_ALLOWED', message, numbers: { token } })
