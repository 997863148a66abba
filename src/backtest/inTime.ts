import type { Clock } from '../core/clock.ts'

/** How long a strategy that answers late may take. */
export const PATIENCE_MS = 10_000

/**
 * What a strategy has promised; undefined where it does not come in time.
 *
 * @param clock real time: the strategies' own work takes some
 */
export async function inTime<T>(answer: Promise<T>, clock: Clock, patienceMs = PATIENCE_MS): Promise<T | undefined> {
  const { promise: timeUp, resolve } = Promise.withResolvers<undefined>()
  const cancel = clock.at(clock.now() + patienceMs, () => resolve(undefined))
  try {
    return await Promise.race([answer, timeUp])
  } finally {
    cancel()
  }
}
