import { Subject } from 'rxjs'

/** Which prices a bot has processed. */
export class NewestPrices {
  /** Told of each tick, for strategies that run elsewhere. */
  readonly tick$ = new Subject<number>()
  #tick = 0
  #at: number | undefined

  /** The newest tick; 0 before the first. */
  get tick(): number {
    return this.#tick
  }

  /** When it was processed, in Unix milliseconds; undefined: there was none. */
  get at(): number | undefined {
    return this.#at
  }

  take(tick: number, at: number): void {
    this.#tick = tick
    this.#at = at
  }
}
