// Student's distribution for whole degrees of freedom, where it is a finite sum: Milton Abramowitz and Irene Stegun (1964), Handbook of
// Mathematical Functions, 26.7.3 and 26.7.4.

/**
 * The probability that |T| is at most `t`.
 *
 * @param t 0 or more
 * @param degrees whole, 1 or more
 */
export function studentWithin(t: number, degrees: number): number {
  if (t === Number.POSITIVE_INFINITY) return 1
  const angle = Math.atan(t / Math.sqrt(degrees))
  const [sine, square] = [Math.sin(angle), Math.cos(angle) ** 2]
  const isOdd = degrees % 2 === 1
  let [term, sum] = [isOdd ? Math.cos(angle) : 1, 0]
  for (let power = isOdd ? 1 : 0; power <= degrees - 2; power += 2) {
    sum += term
    term *= (square * (power + 1)) / (power + 2)
  }
  return isOdd ? (2 / Math.PI) * (angle + sine * sum) : sine * sum
}

/** The probability of a |T| of `t` or more where there is nothing: two-sided. */
export const studentBeyond = (t: number, degrees: number): number => 1 - studentWithin(Math.abs(t), degrees)

const HALVINGS = 100
/** More than any quantile that is asked for with 2 degrees of freedom or more. */
const FAR = 1e6

/**
 * What |T| stays within with this probability: 0.95 for the two-sided quantile of 5 %.
 *
 * @param within above 0, below 1
 */
export function studentBound(within: number, degrees: number): number {
  let [low, high] = [0, FAR]
  for (let halving = 0; halving < HALVINGS; halving++) {
    const middle = (low + high) / 2
    if (studentWithin(middle, degrees) < within) low = middle
    else high = middle
  }
  return high
}
