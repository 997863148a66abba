import { Observable, type Subscriber } from 'rxjs'

/** The ticks of a log. Calls its single listener directly: a `Subject` would look for others at every price. */
export class TickSource {
  #listener: Subscriber<number> | undefined

  readonly tick$ = new Observable<number>((subscriber) => {
    this.#listener = subscriber
  })

  next(tick: number): void {
    this.#listener?.next(tick)
  }
}
