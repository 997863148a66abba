import type { Random } from '../../core/random.ts'

/**
 * Points in [0, 1)^dimensions of which each lies, in every dimension, in a part of its own of `count` equal ones. Michael McKay, Richard
 * Beckman and William Conover (1979), A Comparison of Three Methods for Selecting Values of Input Variables, Technometrics 21(2).
 */
export function latinHypercube(random: Random, count: number, dimensions: number): number[][] {
  const columns = Array.from({ length: dimensions }, () => shuffled(random, count).map((part) => (part + random.next()) / count))
  return Array.from({ length: count }, (_, index) => columns.map((column) => column[index] ?? 0))
}

/** The whole numbers below `count` in any order: Fisher and Yates, as Durstenfeld (1964) does it. */
function shuffled(random: Random, count: number): number[] {
  const numbers = Array.from({ length: count }, (_, index) => index)
  for (let last = count - 1; last > 0; last--) {
    const other = random.integer(0, last)
    const [a = 0, b = 0] = [numbers[last], numbers[other]]
    numbers[last] = b
    numbers[other] = a
  }
  return numbers
}
