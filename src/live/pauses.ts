import { Observable, share } from 'rxjs'
import type { Clock } from '../core/clock.ts'
import type { Pause } from '../pipeline/index.ts'

const LOOK_EVERY_MS = 250
/** Shorter ones cost no move. */
const LEAST_PAUSE_MS = 1000

export interface PauseClocks {
  /** The bots' time, in which pauses are told. */
  readonly bots: Pick<Clock, 'now'>
  /** Time that nobody sets. It may stand still while the machine sleeps. */
  readonly steady: Clock
  /** The machine's time as it is set. */
  readonly machine: Pick<Clock, 'now'>
}

/**
 * Times of over a second in which this process did not run, by a timer that came late; or its machine did not, by a machine clock that went
 * further than steady time. One timer serves all subscribers.
 */
export function pausesOf({ bots, steady, machine }: PauseClocks): Observable<Pause> {
  return new Observable<Pause>((subscriber) => {
    let cancel: () => void
    const look = () => {
      const [steadyMs, machineMs] = [steady.now(), machine.now()]
      cancel = steady.at(steadyMs + LOOK_EVERY_MS, () => {
        const wentMs = Math.max(steady.now() - steadyMs, machine.now() - machineMs)
        look()
        const until = bots.now()
        if (wentMs - LOOK_EVERY_MS > LEAST_PAUSE_MS) subscriber.next({ from: until - (wentMs - LOOK_EVERY_MS), until })
      })
    }
    look()
    return () => cancel()
  }).pipe(share())
}
