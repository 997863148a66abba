import { keyedRandom } from '../../../src/core/random.ts'

export interface BenchCandle {
  readonly time: Date
  readonly open: number
  readonly high: number
  readonly low: number
  readonly close: number
  readonly volume: number
}

export const MINUTE_MS = 60_000
/** A midnight. */
export const START_MS = Date.UTC(2025, 0, 1)
/** Prices are whole numbers of these: their sums are exact in whichever order they are made, and so is every average. */
const STEP = 1 / 64
const FIRST_STEPS = 200 * 64
const LEAST_STEPS = 20 * 64
const STEPS_A_MINUTE = 8

/** One-minute candles of a random walk, each closing where the next one opens. Equal keys give equal candles. */
export function seededCandles(count: number, ...keys: readonly (string | number)[]): BenchCandle[] {
  const random = keyedRandom('candles', ...keys)
  let steps = FIRST_STEPS
  return Array.from({ length: count }, (_, index) => {
    const open = steps * STEP
    steps = Math.max(LEAST_STEPS, steps + Math.round(random.normal() * STEPS_A_MINUTE))
    const close = steps * STEP
    const wick = random.integer(0, STEPS_A_MINUTE) * STEP
    return {
      time: new Date(START_MS + index * MINUTE_MS),
      ...{ open, close, high: Math.max(open, close) + wick, low: Math.min(open, close) - wick, volume: 1 },
    }
  })
}
