import type { Clock } from './clock.ts'

/** The longest a Node timer can be set for; a longer wait is made of several. */
const LONGEST_TIMER_MS = 2 ** 31 - 1

/**
 * Asks for what a signal calls off, and calls it off after so long with a `TimeoutError`. What is over in time leaves nothing behind: the timer of
 * `AbortSignal.timeout` stays, and makes an error with its stack when it fires.
 */
export async function within<T>(timeoutMs: number, task: (signal: AbortSignal) => Promise<T>, clock: Clock = steadyClock): Promise<T> {
  const controller = new AbortController()
  const giveUp = () => controller.abort(new DOMException(`no whole answer within ${timeoutMs} ms`, 'TimeoutError'))
  const cancel = clock.at(clock.now() + timeoutMs, giveUp)
  try {
    return await task(controller.signal)
  } finally {
    cancel()
  }
}

/** The real time of this machine, as it is set: it may step, forwards and back. */
export const systemClock: Clock = clockOf(() => Date.now())

const originMs = Date.now() - performance.now()

/**
 * When this process began, and the time that has gone by since: nobody can set it, so that no step of the machine's clock makes a bot skip
 * hours or wait for them. It may stand still while the machine sleeps.
 */
export const steadyClock: Clock = clockOf(() => Math.floor(originMs + performance.now()))

function clockOf(now: () => number): Clock {
  return {
    now,
    at(atMs, task) {
      let timer: NodeJS.Timeout
      const wait = () => {
        timer = setTimeout(wake, Math.min(Math.max(0, atMs - now()), LONGEST_TIMER_MS))
      }
      // A timer may run a millisecond early, by this clock.
      const wake = () => (now() < atMs ? wait() : task())
      wait()
      return () => clearTimeout(timer)
    },
  }
}
