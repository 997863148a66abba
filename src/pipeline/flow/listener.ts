import { Subscriber } from 'rxjs'

/**
 * Listens on behalf of a subscriber, as the operators of RxJS do: what is thrown ends the subscriber with that error, and its own end ends
 * the listening. An observer that is handed to `subscribe` as an object does the same by twice the calls, at every price.
 */
export class Listener<T> extends Subscriber<T> {
  readonly #take: (value: T) => void

  /** @param isWhole whether the subscriber is complete when this source is */
  constructor(subscriber: Subscriber<never>, take: (value: T) => void, { isWhole = false } = {}) {
    super(subscriber as Subscriber<unknown>)
    this.#take = take
    if (!isWhole) this._complete = () => this.unsubscribe()
  }

  override next(value: T): void {
    if (this.isStopped) return
    try {
      this.#take(value)
    } catch (thrown) {
      this.error(thrown)
    }
  }
}
