import type { Clock } from '../core/clock.ts'

/** No request is made again sooner. */
const LEAST_PAUSE_MS = 100

export interface RetryBounds {
  /** Time that no answer of the service moves. */
  readonly clock: Clock
  /** No try begins later. Unix milliseconds. */
  readonly until: number
  /** Tries in all. */
  readonly most: number
}

/**
 * Makes a request again while its answer asks for that. The one place that repeats a request: each try but the first has a pause before it,
 * and there is a last one.
 *
 * @param againAt Unix milliseconds before which there is no other try; undefined: the answer stands
 * @returns the answer to the last try
 */
export async function retried<T>(
  { clock, until, most }: RetryBounds,
  ask: () => Promise<T>,
  againAt: (answer: T) => number | undefined,
): Promise<T> {
  let answer = await ask()
  for (let tries = 1; tries < most; tries++) {
    const at = againAt(answer)
    const next = at === undefined ? Number.POSITIVE_INFINITY : Math.max(at, clock.now() + LEAST_PAUSE_MS)
    if (next > until) return answer
    await new Promise<void>((resolve) => void clock.at(next, resolve))
    answer = await ask()
  }
  return answer
}
