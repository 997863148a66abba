import { defer, filter, map, type OperatorFunction } from 'rxjs'
import { CornermanError } from '../../core/error.ts'
import { show } from '../../core/show.ts'
import type { Candle, PricePoint } from '../view.ts'

/** What an indicator of prices takes: a number, a point of `price$`, or a candle, of which it reads the close. */
export type PriceLike = number | PricePoint | Candle

/** An indicator of the library trading-signals, as far as it is used here. `getResult` gives null until it has seen enough. */
export interface Computation<I, R> {
  add(input: I): unknown
  getResult(): R | null
}

/**
 * Runs any indicator of the library trading-signals over a stream of prices. It starts afresh with each subscription, emits nothing
 * until it has seen enough prices, skips an input or a result that is not a finite number, and ends with its source. Each input
 * gives at most one result, in the unit that the library documents.
 *
 * @see https://bennycode.com/trading-signals for the indicators that have no operator here
 * @example prices.price$(SOL_MINT).pipe(indicator(() => new WMA(20))) // with WMA from 'trading-signals'
 */
export const indicator = <R>(create: () => Computation<number, R>): OperatorFunction<PriceLike, R> => computed(create, priceOf)

/**
 * As `indicator`, for those that need highs and lows.
 *
 * @example prices.candles$(SOL_MINT, 60).pipe(candleIndicator(() => new ADX(14))) // with ADX from 'trading-signals'
 */
export const candleIndicator = <R>(create: () => Computation<Candle, R>): OperatorFunction<Candle, R> =>
  computed(create, (candle) => candle)

/** As `indicator`, with a way of its own to read an input. */
export function computed<I, C, R>(create: () => Computation<C, R>, read: (input: I) => C): OperatorFunction<I, R> {
  return (source) =>
    defer(() => {
      const computation = create()
      return source.pipe(
        map(read),
        // One NaN would stay in an average for good.
        filter((input) => isSound(input)),
        map((input) => {
          computation.add(input)
          return computation.getResult()
        }),
        filter((result) => result !== null),
        filter((result) => isSound(result)),
      )
    })
}

function priceOf(input: PriceLike): number {
  if (typeof input === 'number') return input
  return 'price' in input ? input.price : input.close
}

/** Whether a number, or every number of an object, is one to calculate with. */
function isSound(value: unknown): boolean {
  if (typeof value === 'number') return Number.isFinite(value)
  return typeof value !== 'object' || value === null || Object.values(value).every(isSound)
}

/**
 * Checks how many inputs an indicator looks back over.
 *
 * @throws CornermanError `INDICATOR_INVALID` naming the indicator, the field, the value and what is allowed
 */
export function checkInterval(name: string, field: string, value: number, least = 1): void {
  if (Number.isSafeInteger(value) && value >= least) return
  throw new CornermanError('INDICATOR_INVALID', `${name}: ${field} = ${show(value)}: a whole number from ${least} on`)
}
