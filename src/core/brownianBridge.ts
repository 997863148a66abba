import type { RandomField } from './random.ts'

/** No step is so large that a product of this much and one more is beyond what a number holds. */
const LARGE = 1e100

/**
 * The volatility of a step, from the mean absolute log return from value to value: for normal returns
 * it is the standard deviation × √(2 ÷ π). Squares would let a few jumps set the noise of every quiet step.
 *
 * @returns the standard deviation of the log return over one step; NaN of fewer than two values
 */
export function stepVolatility(values: Float64Array): number {
  // The sum of logarithms is the logarithm of the product: a division takes a fraction of the time.
  let sum = 0
  let product = 1
  let before = values[0] ?? 1
  for (let row = 1; row < values.length; row++) {
    const value = values[row] ?? 1
    product *= value > before ? value / before : before / value
    before = value
    if (product < LARGE) continue
    sum += Math.log(product)
    product = 1
  }
  sum += Math.log(product)
  return (sum / (values.length - 1)) * Math.sqrt(Math.PI / 2)
}

export interface BridgeEnds {
  readonly from: number
  readonly to: number
  /** At least 1. */
  readonly steps: number
  /** Standard deviation of the log return over one step. */
  readonly volatility: number
  readonly random: RandomField
  /** The row of the field whose numbers it takes. */
  readonly row: number
}

/**
 * Prices from one to another in so many steps: a random walk in log space that ends where it should. Lévy's construction: what
 * lies in the middle of two known places is normal around their mean (P. Lévy, 1948). Only what is asked for is worked out,
 * and asked for in any order it is the same.
 */
export class BrownianBridge {
  readonly #ends: BridgeEnds
  /** NaN where nobody has asked yet. No typed array: most bridges are asked for one price, and one of those takes longer to make. */
  readonly #logs: number[]

  constructor(ends: BridgeEnds) {
    const { from, to, steps } = ends
    this.#ends = ends
    this.#logs = new Array<number>(steps + 1).fill(Number.NaN)
    this.#logs[0] = Math.log(from)
    this.#logs[steps] = Math.log(to)
  }

  /** The price after that many steps; undefined beyond the last. */
  at(step: number): number | undefined {
    const { from, to, steps } = this.#ends
    if (step === 0) return from
    return step === steps ? to : step > 0 && step < steps ? Math.exp(this.#logAt(step)) : undefined
  }

  #logAt(step: number): number {
    const logs = this.#logs
    const { steps, volatility, random, row } = this.#ends
    let [low, high] = [0, steps]
    while (Number.isNaN(logs[step])) {
      const middle = (low + high) >>> 1
      if (Number.isNaN(logs[middle])) {
        const share = (middle - low) / (high - low)
        const spread = volatility * Math.sqrt(share * (high - middle))
        logs[middle] = (1 - share) * (logs[low] ?? 0) + share * (logs[high] ?? 0) + spread * random.normal(row, middle)
      }
      if (middle < step) low = middle
      else high = middle
    }
    return logs[step] ?? Number.NaN
  }
}
