import type { OperatorFunction } from 'rxjs'
import { EMA, MACD, RSI } from 'trading-signals'
import { CornermanError } from '../../core/error.ts'
import { checkInterval, indicator, type PriceLike } from './indicator.ts'

/**
 * Relative strength index by Wilder, 0 to 100: how much of the movement of the last `interval` changes was upwards. 100 where
 * nothing fell, a price that stands still included.
 *
 * @throws CornermanError `INDICATOR_INVALID` where `interval` is not a whole number of at least 2
 * @see https://github.com/bennycode/trading-signals (RSI)
 * @example prices.price$(SOL_MINT).pipe(rsi(14), filter((strength) => strength < 30))
 */
export function rsi(interval = 14): OperatorFunction<PriceLike, number> {
  checkInterval('rsi', 'interval', interval, 2)
  return indicator(() => new RSI(interval))
}

/** One result of `macd`, in USD. */
export interface Macd {
  /** The fast average less the slow one, in USD. */
  readonly macd: number
  /** The average of `macd`. */
  readonly signal: number
  /** `macd` less `signal`. */
  readonly histogram: number
}

/**
 * Moving average convergence and divergence, in USD, of exponential averages. It emits once its signal line has seen enough prices
 * too: from price number `slow` + `signal` − 1 on.
 *
 * @throws CornermanError `INDICATOR_INVALID` where one is not a whole number of at least 1, or `fast` is not below `slow`
 * @see https://github.com/bennycode/trading-signals (MACD)
 * @example prices.price$(SOL_MINT).pipe(macd(), filter(({ histogram }) => histogram > 0))
 */
export function macd({ fast = 12, slow = 26, signal = 9 }: MacdOptions = {}): OperatorFunction<PriceLike, Macd> {
  for (const [field, value] of Object.entries({ fast, slow, signal })) checkInterval('macd', field, value)
  if (fast >= slow) throw new CornermanError('INDICATOR_INVALID', `macd: fast = ${fast}: a number below slow = ${slow}`)
  return indicator(() => {
    const lines = new MACD(new EMA(fast), new EMA(slow), new EMA(signal))
    // The library gives a result from the slow average on, when the signal line rests on one value.
    return { add: (price: number) => lines.add(price), getResult: () => (lines.signal.isStable ? lines.getResult() : null) }
  })
}

/** How many prices each average looks back over. */
export interface MacdOptions {
  /** Prices of the fast average. Default 12. */
  readonly fast?: number
  /** Prices of the slow average: more than of the fast one. Default 26. */
  readonly slow?: number
  /** Results of `macd` that its signal line averages. Default 9. */
  readonly signal?: number
}
