import { Observable, type OperatorFunction } from 'rxjs'
import { CornermanError } from '../../core/error.ts'
import { show } from '../../core/show.ts'
import type { Candle, PricePoint } from '../view.ts'

/** How `candles` treats periods without a price. */
export interface CandlesOptions {
  /** Whether a period without a price has a candle too, at the last close: then 20 candles of a second are always 20 seconds. */
  readonly carry?: boolean
}

/** How many candles are carried in a row; of a longer pause the newest. No indicator looks back over more. */
const MOST_CARRIED = 4096

/**
 * Groups prices into candles of whole periods, counted from 1970. A candle is emitted when the first price of a later period comes;
 * one that is still open when the source ends is dropped. The first candle has only the prices since the source began. A period
 * without a price has no candle, unless `carry` repeats the last close.
 *
 * @param seconds the period
 * @throws CornermanError `INDICATOR_INVALID` where `seconds` is not above 0
 * @example priceHistory$(prices, SOL_MINT, 60).pipe(candles(1, { carry: true }), highest(30)) // of 30 seconds
 */
export function candles(seconds: number, { carry = false }: CandlesOptions = {}): OperatorFunction<PricePoint, Candle> {
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
            const { close } = candle
            const empty = carry ? Math.round((opensAt - candle.at) / periodMs) - 1 : 0
            for (let left = Math.min(empty, MOST_CARRIED); left > 0; left--) {
              subscriber.next({ at: opensAt - left * periodMs, open: close, high: close, low: close, close })
            }
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
