import { dayStart } from '../core/day.ts'
import type { Usdc } from '../core/usdc.ts'

/** Clocks of the two machines may differ by this much where a time of the service is compared with one of this machine. */
export const SKEW_MS = 5_000

/**
 * What is lost of a day's cap. For some seconds after midnight UTC it may be the day before by the service's clock: the day that has lost more
 * counts then.
 *
 * @param lostSince what was lost since the 00:00 UTC it is given, in Unix milliseconds
 */
export function lostOfDay(now: number, lostSince: (dayStartsAt: number) => Usdc): Usdc {
  const lost = lostSince(dayStart(now))
  const before = dayStart(now - SKEW_MS)
  if (before === dayStart(now)) return lost
  const lostBefore = lostSince(before)
  if (lostBefore > lost) return lostBefore
  return lost
}
