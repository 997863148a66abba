import { CornermanError } from '../core/error.ts'
import { show } from '../core/show.ts'

/**
 * A period that a strategy asks for, in milliseconds.
 *
 * @param what who asks for it, and where, for the message
 * @throws CornermanError `STRATEGY_PERIOD_INVALID`: shorter it would never sleep, longer never wake
 */
export function periodMs(seconds: number, what: string): number {
  if (seconds >= 0.1 && seconds <= 86_400) return seconds * 1000
  throw new CornermanError('STRATEGY_PERIOD_INVALID', `${what} = ${show(seconds)}: a number of seconds from 0.1 to 86400`)
}
