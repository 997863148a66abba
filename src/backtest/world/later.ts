import { Observable } from 'rxjs'
import type { VirtualClock } from '../../core/clock.ts'

/** One value, worked out when the clock has gone on by that much since it was asked for. */
export const later = <T>(clock: VirtualClock, delayMs: number, work: () => T): Observable<T> =>
  new Observable((subscriber) =>
    clock.at(clock.now() + delayMs, () => {
      subscriber.next(work())
      subscriber.complete()
    }),
  )
