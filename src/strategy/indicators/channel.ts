import { map, type OperatorFunction, pipe } from 'rxjs'
import { DonchianChannels } from 'trading-signals'
import { checkInterval, computed, type PriceLike } from './indicator.ts'
import type { Bands } from './volatility.ts'

/**
 * Donchian channel, in USD: the highest and the lowest of the last `interval` prices or candles, and the middle between
 * them. The newest is part of it: a price breaks out where it is above the `upper` that was emitted before it.
 *
 * @throws CornermanError `INDICATOR_INVALID` where `interval` is not a whole number of at least 1
 * @see https://github.com/bennycode/trading-signals (DC)
 * @example prices.candles$(SOL_MINT, 1).pipe(donchianChannel(20))
 */
export const donchianChannel = (interval = 20): OperatorFunction<PriceLike, Bands> => channel('donchianChannel', interval)

/**
 * The highest of the last `interval` prices, or of the highs of candles, in USD.
 *
 * @throws CornermanError `INDICATOR_INVALID` where `interval` is not a whole number of at least 1
 * @see https://github.com/bennycode/trading-signals (DC)
 * @example prices.price$(SOL_MINT).pipe(highest(20))
 */
export const highest = (interval: number): OperatorFunction<PriceLike, number> =>
  pipe(
    channel('highest', interval),
    map(({ upper }) => upper),
  )

/**
 * The lowest of the last `interval` prices, or of the lows of candles, in USD.
 *
 * @throws CornermanError `INDICATOR_INVALID` where `interval` is not a whole number of at least 1
 * @see https://github.com/bennycode/trading-signals (DC)
 * @example prices.price$(SOL_MINT).pipe(lowest(20))
 */
export const lowest = (interval: number): OperatorFunction<PriceLike, number> =>
  pipe(
    channel('lowest', interval),
    map(({ lower }) => lower),
  )

function channel(name: string, interval: number): OperatorFunction<PriceLike, Bands> {
  checkInterval(name, 'interval', interval)
  return computed(() => new DonchianChannels(interval), rangeOf)
}

function rangeOf(input: PriceLike): { high: number; low: number } {
  if (typeof input === 'number') return { high: input, low: input }
  return 'price' in input ? { high: input.price, low: input.price } : { high: input.high, low: input.low }
}
