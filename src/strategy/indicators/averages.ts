import { map, type OperatorFunction, pipe } from 'rxjs'
import { DMA, EMA, SMA } from 'trading-signals'
import { CornermanError } from '../../core/error.ts'
import { checkInterval, indicator, type PriceLike } from './indicator.ts'

/**
 * Simple moving average: the mean of the last `interval` prices, in USD.
 *
 * @throws CornermanError `INDICATOR_INVALID` where `interval` is not a whole number of at least 1
 * @see https://github.com/bennycode/trading-signals (SMA)
 * @example prices.price$(SOL_MINT).pipe(sma(20))
 */
export function sma(interval: number): OperatorFunction<PriceLike, number> {
  checkInterval('sma', 'interval', interval)
  return indicator(() => new SMA(interval))
}

/**
 * Exponential moving average, in USD: each price weighs 2 ÷ (`interval` + 1). It starts from the first price (not from a
 * simple average, as TA-Lib's does) and emits from the `interval`-th on.
 *
 * @throws CornermanError `INDICATOR_INVALID` where `interval` is not a whole number of at least 1
 * @see https://github.com/bennycode/trading-signals (EMA)
 * @example prices.price$(SOL_MINT).pipe(ema(20))
 */
export function ema(interval: number): OperatorFunction<PriceLike, number> {
  checkInterval('ema', 'interval', interval)
  return indicator(() => new EMA(interval))
}

/** Two averages of the same prices, in USD. */
export interface MovingAverages {
  /** The average that looks back over fewer prices. */
  readonly fast: number
  /** The average that looks back over more prices. */
  readonly slow: number
}

/**
 * A fast and a slow moving average of the same prices, in USD, in one result. Two operators side by side would for an instant show
 * the newest value of one beside the previous value of the other, and so a crossing that never happened.
 *
 * @param intervals how many prices each looks back over; `kind`: `sma` (the default) or `ema`
 * @throws CornermanError `INDICATOR_INVALID` where one is not a whole number of at least 1, or `fast` is not below `slow`
 * @see https://github.com/bennycode/trading-signals (DMA)
 * @example prices.price$(SOL_MINT).pipe(movingAverages({ fast: 5, slow: 20 }), map(({ fast, slow }) => fast > slow))
 */
export function movingAverages({ fast, slow, kind = 'sma' }: MovingAveragesOptions): OperatorFunction<PriceLike, MovingAverages> {
  checkInterval('movingAverages', 'fast', fast)
  checkInterval('movingAverages', 'slow', slow)
  if (fast >= slow) throw new CornermanError('INDICATOR_INVALID', `movingAverages: fast = ${fast}: a number below slow = ${slow}`)
  return pipe(
    indicator(() => new DMA(fast, slow, kind === 'ema' ? EMA : SMA)),
    map(({ short, long }) => ({ fast: short, slow: long })),
  )
}

/** How many prices each average looks back over, and how it weighs them. */
export interface MovingAveragesOptions {
  /** Prices of the fast average. */
  readonly fast: number
  /** Prices of the slow average: more than of the fast one. */
  readonly slow: number
  /** `sma`, the default, weighs all alike; `ema` weighs the newest most. */
  readonly kind?: 'sma' | 'ema'
}
