import { median } from 'simple-statistics'

/** Less is a bot that had nothing to do, or a service that did not answer. */
const LEAST_PAUSE_MS = 60_000
/** Of the usual time between two prices: in a file of prices an hour apart nothing is amiss. */
const LEAST_STEPS = 10
/** Steps looked at for what is usual. */
const SAMPLES = 999

/** The median time between two prices, in milliseconds, of steps spread over all of them; 0 of fewer than two. */
export function usualStep(known: Float64Array): number {
  const steps = known.length - 1
  const count = Math.min(SAMPLES, steps)
  if (count < 1) return 0
  const sampled = Array.from({ length: count }, (_, sample) => {
    const index = Math.floor((sample * steps) / count)
    return (known[index + 1] ?? 0) - (known[index] ?? 0)
  })
  return median(sampled)
}

/** Two prices further apart than this, in milliseconds, have a pause between them: nobody was there to hear of any. */
export const leastPauseMs = (known: Float64Array): number => Math.max(LEAST_PAUSE_MS, LEAST_STEPS * usualStep(known))
