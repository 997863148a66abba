import type { Mint } from '../../../core/tokens.ts'
import { isSale } from '../../feedValue.ts'
import type { SwapRule } from '../../rule.ts'
import type { Refusal } from '../../verdict.ts'
import type { GuardView } from '../../view.ts'

/**
 * A mint that takes a part of each transfer, or calls a program of somebody's, is swapped where the config lets it in. A sale is let pass:
 * an issuer can bring in either after the token was bought, and who holds it must still be able to sell.
 */
export const transferTerms: SwapRule = (action, view) =>
  isSale(action) ? undefined : (transferRefused(action.from, view) ?? transferRefused(action.to, view))

/** Why transfers of this token are not let in. */
export function transferRefused(token: Mint, view: GuardView): Refusal | undefined {
  const facts = view.token(token)
  if (facts === undefined) return undefined
  const { symbol, transferFee, transferHook, maxTransferFeeBps, allowTransferHook } = facts
  if (transferFee !== undefined && transferFee.feeBps > maxTransferFeeBps) {
    const { feeBps, maximum } = transferFee
    const message = `${symbol} keeps back ${feeBps} bps of each transfer as a fee, its maxTransferFeeBps in market.tokens is ${maxTransferFeeBps}`
    return { code: 'TOKEN_TRANSFER_FEE', message, numbers: { token, feeBps, maximum, maxTransferFeeBps } }
  }
  if (transferHook === undefined || allowTransferHook) return undefined
  const message = `each transfer of ${symbol} calls the hook ${transferHook}: set its allowTransferHook in market.tokens to let it in`
  return { code: 'TOKEN_TRANSFER_HOOK', message, numbers: { token, hook: transferHook } }
}
