import { Observable, type OperatorFunction } from 'rxjs'
import { CornermanError } from '../../core/error.ts'
import { show } from '../../core/show.ts'
import type { Candle, PricePoint } from '../view.ts'

/**
 * Groups prices into candles of whole periods since 1970. A candle is out when a price of a later period comes; one that is
 * still open when the source ends never was whole, and is left out. A period without a price has no candle.
 *
 * @param seconds the period
 * @throws CornermanError `INDICATOR_INVALID` where `seconds` is not above 0
 * @example priceHistory$(prices, SOL_MINT, 60).pipe(candles(5), atr(10))
 */
export function candles(seconds: number): OperatorFunction<PricePoint, Candle> {
  if (!(seconds > 0 && seconds < Number.POSITIVE_INFINITY)) {
    throw new CornermanError('INDICATOR_INVALID', `candles: seconds = ${show(seconds)}: a number above 0`)
  }
  const periodMs = seconds * 1000
  return (price$) =>
    new Observable((subscriber) => {
      let candle: Candle | undefined
      return price$.subscribe({
        next: ({ at, price }) => {
          const opensAt = Math.floor(at / periodMs) * periodMs
          if (candle !== undefined && candle.at !== opensAt) {
            subscriber.next(candle)
            candle = undefined
          }
          candle =
            candle === undefined
              ? { at: opensAt, open: price, high: price, low: price, close: price }
              : { ...candle, high: Math.max(candle.high, price), low: Math.min(candle.low, price), close: price }
        },
        error: (error: unknown) => subscriber.error(error),
        complete: () => subscriber.complete(),
      })
    })
}
