import { isZeroPrice } from '../../../core/price.ts'
import { type Mint, symbolOf, USDC_MINT } from '../../../core/tokens.ts'
import type { SwapAction } from '../../../strategy/action.ts'
import type { SwapRule } from '../../rule.ts'
import type { Refusal } from '../../verdict.ts'
import type { GuardView } from '../../view.ts'

export const pricesFresh: SwapRule = (action, view) => pricesNotFresh(action, view)

/** Both tokens are judged by the feed: what is given, and what comes back. A USDC is a dollar, whatever the feed says. */
export function pricesNotFresh({ from, to }: SwapAction, view: GuardView): Refusal | undefined {
  return notFresh(from, view) ?? notFresh(to, view)
}

function notFresh(mint: Mint, view: GuardView): Refusal | undefined {
  if (mint === USDC_MINT) return undefined
  const known = view.price(mint)
  // At a price of 0 a swap could give everything and lose nothing.
  if (known === undefined || isZeroPrice(known.price)) {
    return { code: 'PRICE_UNKNOWN', message: `the feed has no price of ${symbolOf(mint)}`, numbers: { token: mint } }
  }
  const { maxPriceAgeMs } = view.config
  if (known.ageMs <= maxPriceAgeMs) return undefined
  return {
    code: 'PRICE_STALE',
    message: `the price of ${symbolOf(mint)} is ${known.ageMs} ms old, guard.maxPriceAgeMs is ${maxPriceAgeMs}`,
    numbers: { token: mint, ageMs: known.ageMs, maxPriceAgeMs },
  }
}
