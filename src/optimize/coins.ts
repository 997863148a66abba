import { errorFunction } from 'simple-statistics'

/** Steps of the sum that stands for the integral, in standard deviations, and how far it goes to either side. */
const [STEP, REACH] = [0.005, 8]

/**
 * The expected maximum of `count` independent standard normal numbers: ∫ x dΦ(x)^count. H. Leon Harter (1961), Expected Values of Normal Order
 * Statistics, Biometrika 48.
 *
 * @param count whole, 1 or more
 * @example expectedMaximum(200) // 2.746
 */
export function expectedMaximum(count: number): number {
  let [sum, below] = [0, 0]
  for (let step = 0; step < (2 * REACH) / STEP; step++) {
    const next = chanceBelow((step + 1) * STEP - REACH) ** count
    sum += ((step + 0.5) * STEP - REACH) * (next - below)
    below = next
  }
  return sum
}

/** The chance that a standard normal number is at most `z`. */
export const chanceBelow = (z: number): number => 0.5 * (1 + errorFunction(z / Math.SQRT2))

export interface Coins {
  /** How many were tried. */
  readonly trials: number
  /** The standard deviation of what one contest makes a unit staked, or of how far two bots differ in it. */
  readonly deviation: number
  readonly contests: number
}

/**
 * The edge above the true one that the best of so many coins would show, as an expected value: what so many tries without any skill look like. Tries that
 * are alike count for fewer, so that it is rather too much than too little.
 *
 * @returns a share of the stake; 0 of one coin
 * @example bestOfCoins({ trials: 200, deviation: 0.94, contests: 304 }) // 0.148
 */
export function bestOfCoins({ trials, deviation, contests }: Coins): number {
  return (expectedMaximum(trials) * deviation) / Math.sqrt(contests)
}
