import { VirtualClock } from '../../src/core/clock.ts'
import type { Price } from '../../src/core/price.ts'
import { keyedRandom } from '../../src/core/random.ts'
import type { Mint } from '../../src/core/tokens.ts'
import { PriceBook } from '../../src/pipeline/priceBook.ts'
import { StrategyPrices } from '../../src/pipeline/strategyPrices.ts'
import type { StrategyContext } from '../../src/strategy/define.ts'

/** 12:00 UTC of a day: when strategies under test are asked. */
export const NOW_MS = Date.UTC(2025, 6, 21, 12)

export interface WorldOfPrices {
  /** Prices of each mint, a second apart; the last is of now. A shorter list is a shorter history. */
  readonly prices?: Readonly<Record<Mint, readonly Price[]>>
  readonly seed?: number
}

/**
 * What every strategy is handed, over a real price book. A strategy called in a config has its
 * parameters bound: those of the context are not read.
 */
export function strategyContext({ prices = {}, seed = 7 }: WorldOfPrices = {}): StrategyContext<unknown> {
  const clock = new VirtualClock(NOW_MS)
  const book = new PriceBook()
  const ticks = Math.max(0, ...Object.values(prices).map(({ length }) => length))
  for (let secondsAgo = ticks - 1; secondsAgo >= 0; secondsAgo--) {
    const known = Object.entries(prices).flatMap(([mint, series]): [Mint, Price][] => {
      const price = series[series.length - 1 - secondsAgo]
      return price === undefined ? [] : [[mint, price]]
    })
    book.append({ at: clock.now() - secondsAgo * 1000, prices: new Map(known) })
  }
  const silent = () => {}
  return {
    params: undefined,
    prices: new StrategyPrices(book).asOf(book.tick, clock.now()),
    clock,
    random: keyedRandom(seed, 'test'),
    log: { debug: silent, info: silent, warn: silent },
  }
}

/** A line of prices from one to the other, a second apart, both ends included. */
export function line(from: number, to: number, seconds: number): readonly Price[] {
  return Array.from({ length: seconds + 1 }, (_, second) => (from + ((to - from) * second) / seconds).toFixed(9))
}
