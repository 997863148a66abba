import type { Clock } from '../core/clock.ts'

/** The longest a Node timer can be set for; a longer wait is made of several. */
const LONGEST_TIMER_MS = 2 ** 31 - 1

/** The real time of this machine. */
export const systemClock: Clock = {
  now: () => Date.now(),
  at(atMs, task) {
    let timer: NodeJS.Timeout
    const wait = () => {
      timer = setTimeout(wake, Math.min(Math.max(0, atMs - Date.now()), LONGEST_TIMER_MS))
    }
    // A timer may run a millisecond early, by this clock.
    const wake = () => (Date.now() < atMs ? wait() : task())
    wait()
    return () => clearTimeout(timer)
  },
}
