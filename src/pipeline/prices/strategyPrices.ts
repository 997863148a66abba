import type { Observable } from 'rxjs'
import type { Mint } from '../../core/tokens.ts'
import { candles } from '../../strategy/indicators/candles.ts'
import type { PricePoint, Prices } from '../../strategy/view.ts'
import type { PriceHistory } from './priceHistory.ts'
import { PriceStream } from './priceStream.ts'

/**
 * What one bot's strategies see of the price book: snapshots as of an input, and streams that run as
 * the bot's own price inputs are processed. Streams are keyed by mint: a tick costs what is listened to.
 */
export class StrategyPrices {
  readonly #book: PriceHistory
  readonly #streams: PriceStream[] = []

  constructor(book: PriceHistory) {
    this.#book = book
  }

  asOf(tick: number, now: number): Prices {
    return {
      ...this.#book.asOf(tick, now),
      price$: (mint) => this.#stream(mint),
      candles$: (mint, seconds) => this.#stream(mint).pipe(candles(seconds)),
    }
  }

  /** Tells the streams of a tick. */
  emit(tick: number): void {
    for (const stream of this.#streams) stream.tell(tick)
  }

  /** Ends every stream. */
  close(): void {
    for (const stream of this.#streams.splice(0)) stream.end()
  }

  #stream(mint: Mint): Observable<PricePoint> {
    let stream = this.#streams.find((known) => known.mint === mint)
    if (stream === undefined) {
      stream = new PriceStream(mint, this.#book.following(mint))
      this.#streams.push(stream)
    }
    return stream.point$
  }
}

/** Prices as of whichever moment it is when they are asked for. */
export function currentPrices(prices: () => Prices): Prices {
  return {
    now: (mint) => prices().now(mint),
    age: (mint) => prices().age(mint),
    text: (mint) => prices().text(mint),
    change: (mint, seconds) => prices().change(mint, seconds),
    history: (mint, seconds) => prices().history(mint, seconds),
    price$: (mint) => prices().price$(mint),
    candles$: (mint, seconds) => prices().candles$(mint, seconds),
  }
}
