import { Observable, type Subscriber } from 'rxjs'
import type { Mint } from '../../core/tokens.ts'
import type { PricePoint } from '../../strategy/view.ts'

/** The prices of one token as strategies hear them: as a Subject, at a third of what that costs, since every price passes here. */
export class PriceStream {
  readonly mint: Mint
  readonly #latest: (tick: number) => PricePoint | undefined
  readonly point$: Observable<PricePoint>
  /** Never changed in place: who comes or goes while a price is told does not change who is told it. */
  #listeners: readonly Subscriber<PricePoint>[] = []
  /** The time of the newest price told. */
  #toldAt = Number.NEGATIVE_INFINITY
  #isEnded = false

  /** @param latest the newest price as of a tick */
  constructor(mint: Mint, latest: (tick: number) => PricePoint | undefined) {
    this.mint = mint
    this.#latest = latest
    const point$ = new Observable<PricePoint>((subscriber) => {
      if (this.#isEnded) {
        subscriber.complete()
        return undefined
      }
      this.#listeners = [...this.#listeners, subscriber]
      return () => {
        this.#listeners = this.#listeners.filter((listener) => listener !== subscriber)
      }
    })
    this.point$ = Object.freeze(point$)
  }

  /** A feed that leaves a mint out has no new price of it: an old one is not told again as if it were. */
  tell(tick: number): void {
    const point = this.#latest(tick)
    if (point === undefined || point.at <= this.#toldAt) return
    this.#toldAt = point.at
    for (const listener of this.#listeners) listener.next(point)
  }

  end(): void {
    this.#isEnded = true
    for (const listener of this.#listeners) listener.complete()
  }
}
