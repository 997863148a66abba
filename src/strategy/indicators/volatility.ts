import type { OperatorFunction } from 'rxjs'
import { ATR, BollingerBands } from 'trading-signals'
import { CornermanError } from '../../core/error.ts'
import { show } from '../../core/show.ts'
import type { Candle } from '../view.ts'
import { candleIndicator, checkInterval, indicator, type PriceLike } from './indicator.ts'

/** A band around prices, as three prices in USD. */
export interface Bands {
  /** The lower edge. */
  readonly lower: number
  /** The line in the middle: an average, or half the way between the edges. */
  readonly middle: number
  /** The upper edge. */
  readonly upper: number
}

/**
 * Bollinger bands, in USD: the simple average of the last `interval` prices, and `deviations` of their standard deviations
 * (of the whole population, as Bollinger has it) under and over it.
 *
 * @throws CornermanError `INDICATOR_INVALID` where `interval` is not a whole number of at least 1, or `deviations` is not above 0
 * @see https://github.com/bennycode/trading-signals (BBANDS)
 * @example prices.price$(SOL_MINT).pipe(bollingerBands(20, 2), map(({ upper, lower }) => upper - lower))
 */
export function bollingerBands(interval = 20, deviations = 2): OperatorFunction<PriceLike, Bands> {
  checkInterval('bollingerBands', 'interval', interval)
  if (!(deviations > 0 && deviations < Number.POSITIVE_INFINITY)) {
    throw new CornermanError('INDICATOR_INVALID', `bollingerBands: deviations = ${show(deviations)}: a number above 0`)
  }
  return indicator(() => new BollingerBands(interval, deviations))
}

/**
 * Average true range by Wilder, in USD: how far a candle goes from its low to its high, or from the close before.
 *
 * @throws CornermanError `INDICATOR_INVALID` where `interval` is not a whole number of at least 1
 * @see https://github.com/bennycode/trading-signals (ATR)
 * @example prices.candles$(SOL_MINT, 60).pipe(atr(14))
 */
export function atr(interval = 14): OperatorFunction<Candle, number> {
  checkInterval('atr', 'interval', interval)
  return candleIndicator(() => new ATR(interval))
}
