import { concat, defer, distinctUntilKeyChanged, type Observable } from 'rxjs'
import type { Mint } from '../../core/tokens.ts'
import type { PricePoint, Prices } from '../view.ts'

/**
 * The prices of the last `seconds` at once, oldest first, then each price from now on: an indicator over them has a result as soon as
 * it is subscribed to, where the bot has known the token for long enough. Ends with `price$`.
 *
 * @example priceHistory$(prices, SOL_MINT, 30).pipe(candles(1), movingAverages({ fast: 5, slow: 20 }))
 */
export const priceHistory$ = (prices: Prices, mint: Mint, seconds: number): Observable<PricePoint> =>
  // `price$` may begin with the price that the history ended with.
  concat(
    defer(() => prices.history(mint, seconds)),
    prices.price$(mint),
  ).pipe(distinctUntilKeyChanged('at'))
