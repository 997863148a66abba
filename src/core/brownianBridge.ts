import type { Random } from './random.ts'

/**
 * The volatility of a step, from the mean absolute log return from value to value: for normal returns
 * it is the standard deviation × √(2 ÷ π). Squares would let a few jumps set the noise of every quiet step.
 *
 * @returns the standard deviation of the log return over one step; NaN of fewer than two values
 */
export function stepVolatility(values: Float64Array): number {
  let sum = 0
  for (let row = 1; row < values.length; row++) sum += Math.abs(Math.log((values[row] ?? 1) / (values[row - 1] ?? 1)))
  return (sum / (values.length - 1)) * Math.sqrt(Math.PI / 2)
}

export interface Bridge {
  readonly from: number
  readonly to: number
  readonly steps: number
  /** Standard deviation of the log return over one step. */
  readonly volatility: number
  readonly random: Random
}

/** Prices from one to another, both included, in so many steps: a random walk, bent to end where it should, in log space. */
export function brownianBridge({ from, to, steps, volatility, random }: Bridge): Float64Array {
  const walk = new Float64Array(steps + 1)
  let end = 0
  for (let step = 1; step <= steps; step++) {
    end += random.normal() * volatility
    walk[step] = end
  }
  const first = Math.log(from)
  const bend = Math.log(to) - first - end
  for (let step = 0; step <= steps; step++) walk[step] = Math.exp(first + (walk[step] ?? 0) + (step / steps) * bend)
  return walk
}
