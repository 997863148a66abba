import { xoroshiro128plusFromState } from 'pure-rand/generator/xoroshiro128plus'
import type { RandomGenerator } from 'pure-rand/types/RandomGenerator'
import { digestOf } from './digest.ts'

/**
 * A stream of random numbers that depends on its keys alone, so that a decision draws the same
 * numbers live, in a replay and in a backtest. Not for secrets: salts come from the system.
 */
export interface Random {
  /** Uniform in [0, 1). */
  next(): number
  /** A whole number from `min` to `max`, both included. */
  integer(min: number, max: number): number
  /** One of the values; `undefined` of an empty list. */
  pick<T>(values: readonly T[]): T | undefined
  /** Standard normal. */
  normal(): number
}

function generatorOf(keys: readonly (string | number)[]): RandomGenerator {
  const digest = digestOf(JSON.stringify(keys))
  return xoroshiro128plusFromState([
    digest.readInt32LE(0),
    digest.readInt32LE(4),
    digest.readInt32LE(8),
    digest.readInt32LE(12) | 1, // the all-zero state is the one this generator cannot leave
  ])
}

/**
 * The random stream of these keys: equal keys give equal streams, any other key an unrelated one.
 *
 * @example keyedRandom(7, 'momentum', 1041).next()
 */
export function keyedRandom(...keys: readonly (string | number)[]): Random {
  let generator: RandomGenerator | undefined
  const next = () => {
    // Made for the first number: many a stream is handed out and never drawn from.
    generator ??= generatorOf(keys)
    return (generator.next() >>> 0) / 0x1_0000_0000
  }
  return {
    next,
    integer: (min, max) => min + Math.floor(next() * (max - min + 1)),
    pick: (values) => values[Math.floor(next() * values.length)],
    // Box and Muller (1958): 1 - next() keeps the logarithm off zero.
    normal: () => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next()),
  }
}

/** That many different ones of the values, all of them where there are no more. */
export function draw<T>(random: Random, values: readonly T[], count: number): T[] {
  const left = [...values]
  const drawn: T[] = []
  while (drawn.length < count && left.length > 0) drawn.push(...left.splice(random.integer(0, left.length - 1), 1))
  return drawn
}
