import { Observable, Subject } from 'rxjs'
import type { Mint } from '../core/tokens.ts'
import type { Candle, PricePoint, Prices } from '../strategy/view.ts'
import type { PriceBook } from './priceBook.ts'

/**
 * What one bot's strategies see of the price book: snapshots as of an input, and streams that run as
 * the bot's own price inputs are processed. Streams are keyed by mint: a tick costs what is listened to.
 */
export class StrategyPrices {
  readonly #book: PriceBook
  readonly #streams = new Map<Mint, Subject<PricePoint>>()

  constructor(book: PriceBook) {
    this.#book = book
  }

  asOf(tick: number, now: number): Prices {
    return {
      ...this.#book.asOf(tick, now),
      price$: (mint) => this.#stream(mint),
      candles$: (mint, seconds) => candles(this.#stream(mint), seconds * 1000),
    }
  }

  /** Tells the streams of a tick. */
  emit(tick: number, now: number): void {
    if (this.#streams.size === 0) return
    const snapshot = this.#book.asOf(tick, now)
    for (const [mint, stream] of this.#streams) {
      const price = snapshot.now(mint)
      if (price !== undefined) stream.next({ at: now, price })
    }
  }

  /** Ends every stream. */
  close(): void {
    for (const stream of this.#streams.values()) stream.complete()
    this.#streams.clear()
  }

  #stream(mint: Mint): Observable<PricePoint> {
    let stream = this.#streams.get(mint)
    if (stream === undefined) {
      stream = new Subject<PricePoint>()
      this.#streams.set(mint, stream)
    }
    return stream.asObservable()
  }
}

/** Groups prices into candles of whole periods since 1970; a candle is out when a later period begins. */
function candles(price$: Observable<PricePoint>, periodMs: number): Observable<Candle> {
  return new Observable((subscriber) => {
    let candle: Candle | undefined
    return price$.subscribe({
      next: ({ at, price }) => {
        const opensAt = Math.floor(at / periodMs) * periodMs
        if (candle !== undefined && candle.at !== opensAt) {
          subscriber.next(candle)
          candle = undefined
        }
        candle =
          candle === undefined
            ? { at: opensAt, open: price, high: price, low: price, close: price }
            : { ...candle, high: Math.max(candle.high, price), low: Math.min(candle.low, price), close: price }
      },
      error: (error: unknown) => subscriber.error(error),
      complete: () => subscriber.complete(),
    })
  })
}
