import { BehaviorSubject, distinctUntilChanged, type MonoTypeOperatorFunction, type Observable, skipWhile } from 'rxjs'

/** Clocks that are further apart are a fault that a bot cannot mend: the days of its caps are not those of the service. */
const MOST_GAP_MS = 3_600_000
/** Times in a row that must say so. */
const NEEDED = 3

/** Finds out whether this machine's clock and the service's are more than an hour apart. */
export class ClockGap {
  readonly #gapMs$ = new BehaviorSubject(0)
  #inARow = 0

  /** How far this machine's clock is ahead of the service's, in milliseconds, while that is more than an hour; else 0. Starts with the first gap. */
  readonly gapMs$: Observable<number> = this.#gapMs$.pipe(withoutFirstZero())

  /** @param serviceMs a time that the service named just now, @param machineMs the time of this machine; Unix milliseconds */
  take(serviceMs: number, machineMs: number): void {
    const gapMs = machineMs - serviceMs
    const isApart = Math.abs(gapMs) > MOST_GAP_MS
    if (isApart === (this.#gapMs$.value !== 0)) {
      this.#inARow = 0
      return
    }
    this.#inARow += 1
    if (this.#inARow < NEEDED) return
    this.#inARow = 0
    this.#gapMs$.next(isApart ? gapMs : 0)
  }
}

/** Emits each new value, from the first that is not 0. */
export const withoutFirstZero = (): MonoTypeOperatorFunction<number> => (value$) =>
  value$.pipe(
    distinctUntilChanged(),
    skipWhile((value) => value === 0),
  )
