import { type Observable, Subject } from 'rxjs'
import type { Mint } from '../core/tokens.ts'
import { candles } from '../strategy/indicators/candles.ts'
import type { PricePoint, Prices } from '../strategy/view.ts'
import type { PriceHistory } from './priceHistory.ts'

interface Stream {
  readonly point$: Subject<PricePoint>
  /** The time of the newest price told. */
  toldAt: number
}

/**
 * What one bot's strategies see of the price book: snapshots as of an input, and streams that run as
 * the bot's own price inputs are processed. Streams are keyed by mint: a tick costs what is listened to.
 */
export class StrategyPrices {
  readonly #book: PriceHistory
  readonly #streams = new Map<Mint, Stream>()

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
    if (this.#streams.size === 0) return
    for (const [mint, stream] of this.#streams) {
      const point = this.#book.latest(mint, tick)
      // A feed that leaves a mint out has no new price of it: an old one is not told again as if it were.
      if (point === undefined || point.at <= stream.toldAt) continue
      stream.toldAt = point.at
      stream.point$.next(point)
    }
  }

  /** Ends every stream. */
  close(): void {
    for (const { point$ } of this.#streams.values()) point$.complete()
    this.#streams.clear()
  }

  #stream(mint: Mint): Observable<PricePoint> {
    let stream = this.#streams.get(mint)
    if (stream === undefined) {
      stream = { point$: new Subject<PricePoint>(), toldAt: Number.NEGATIVE_INFINITY }
      this.#streams.set(mint, stream)
    }
    return stream.point$.asObservable()
  }
}
