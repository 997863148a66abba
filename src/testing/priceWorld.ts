import { Observable } from 'rxjs'
import { VirtualClock } from '../core/clock.ts'
import { type Price, priceFromNumber } from '../core/price.ts'
import type { Mint } from '../core/tokens.ts'
import { PriceBook } from '../pipeline/index.ts'
import { currentPrices, StrategyPrices } from '../pipeline/prices/strategyPrices.ts'
import type { StrategyLog } from '../strategy/define.ts'
import { periodMs } from '../strategy/period.ts'
import type { Prices } from '../strategy/view.ts'

/**
 * 12:00 UTC of a day, in Unix milliseconds: when a strategy under test is asked, or its contest starts.
 *
 * @example contestView({ endsAt: NOW_MS + 60_000 }) // a contest that has a minute left
 */
export const NOW_MS = Date.UTC(2025, 6, 21, 12)

const silent = () => {}
export const silentLog: StrategyLog = { debug: silent, info: silent, warn: silent }

export const priceText = (price: Price | number): Price => (typeof price === 'number' ? priceFromNumber(price) : price)

/** A price book of the pipeline on a virtual clock: what a strategy under test is told of prices. */
export class PriceWorld {
  readonly clock = new VirtualClock(NOW_MS)
  readonly #book = new PriceBook()
  readonly #prices = new StrategyPrices(this.#book)

  /** Prices that were known at an instant; nobody is told of them. */
  know(prices: ReadonlyMap<Mint, Price>, at: number): void {
    this.#book.append({ at, prices })
  }

  /** Prices of this instant, told to every listener. */
  tell(prices: ReadonlyMap<Mint, Price>): void {
    this.know(prices, this.clock.now())
    this.#prices.emit(this.#book.tick)
  }

  asOf(at: number): Prices {
    return this.#prices.asOf(this.#book.tick, at)
  }

  /** Prices as of whichever moment it is when they are asked for. */
  latest(): Prices {
    return currentPrices(() => this.asOf(this.clock.now()))
  }

  /** Fires on the clock, first after one period, for as long as it is subscribed to. */
  every(seconds: number): Observable<number> {
    const period = periodMs(seconds, 'every')
    return new Observable((subscriber) => {
      let cancel = () => {}
      const wait = () => {
        cancel = this.clock.at(this.clock.now() + period, () => {
          wait()
          subscriber.next(this.clock.now())
        })
      }
      wait()
      return () => cancel()
    })
  }

  /** Ends every stream of prices, as the end of a contest does. */
  close(): void {
    this.#prices.close()
  }
}
