import type { Price } from '../core/price.ts'
import { keyedRandom } from '../core/random.ts'
import type { Mint } from '../core/tokens.ts'
import type { StrategyContext } from '../strategy/define.ts'
import { PriceWorld, priceText, silentLog } from './priceWorld.ts'

/** The prices that a strategy under test knows. */
export interface WorldOfPrices {
  /** Prices in USD of each mint, a second apart; the last is of now. A shorter list is a shorter history. */
  readonly prices?: Readonly<Record<Mint, readonly (Price | number)[]>>
  /** Keys the random numbers. */
  readonly seed?: number
}

/**
 * What every strategy is handed, at `NOW_MS`, over a real price book. A strategy called in a config has its
 * parameters bound: those of the context are not read.
 *
 * @example momentum().pick({ ...strategyContext({ prices: { [SOL_MINT]: [180, 181, 183] } }), contest, draft })
 */
export function strategyContext({ prices = {}, seed = 7 }: WorldOfPrices = {}): StrategyContext<unknown> {
  const world = new PriceWorld()
  const { clock } = world
  const ticks = Math.max(0, ...Object.values(prices).map(({ length }) => length))
  for (let secondsAgo = ticks - 1; secondsAgo >= 0; secondsAgo--) {
    const known = Object.entries(prices).flatMap(([mint, series]): [Mint, Price][] => {
      const price = series[series.length - 1 - secondsAgo]
      return price === undefined ? [] : [[mint, priceText(price)]]
    })
    world.know(new Map(known), clock.now() - secondsAgo * 1000)
  }
  return { params: undefined, prices: world.asOf(clock.now()), clock, random: keyedRandom(seed, 'test'), log: silentLog }
}

/**
 * A line of prices in USD from one to the other, a second apart, both ends included: `seconds` + 1 of them.
 *
 * @example line(100, 101, 2) // ['100.000000000', '100.500000000', '101.000000000']
 */
export function line(from: number, to: number, seconds: number): readonly Price[] {
  return Array.from({ length: seconds + 1 }, (_, second) => (from + ((to - from) * second) / seconds).toFixed(9))
}
