import type { Clock } from './clock.ts'

/** What was promised; undefined where it does not come in time. Whoever promised it is not called off. */
export async function inTime<T>(answer: Promise<T>, clock: Clock, patienceMs: number): Promise<T | undefined> {
  const { promise: timeUp, resolve } = Promise.withResolvers<undefined>()
  const cancel = clock.at(clock.now() + patienceMs, () => resolve(undefined))
  try {
    return await Promise.race([answer, timeUp])
  } finally {
    cancel()
  }
}
