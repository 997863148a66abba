import { xoroshiro128plusFromState } from 'pure-rand/generator/xoroshiro128plus'
import type { RandomGenerator } from 'pure-rand/types/RandomGenerator'
import { digestOf } from './digest.ts'
import { memoize } from './memoize.ts'
import { mixed } from './mixed.ts'

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

type Keys = readonly (string | number)[]

/** Streams are begun anew again and again: whatever is planned again draws the same numbers. */
const KEPT = 512
const digestOfText = memoize(digestOf, KEPT)

const digestOfKeys = (keys: Keys): Buffer => digestOfText(JSON.stringify(keys))

function generatorOf(keys: Keys): RandomGenerator {
  const digest = digestOfKeys(keys)
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
export function keyedRandom(...keys: Keys): Random {
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
    normal: () => normalOf(next(), next()),
  }
}

/** A plane of random numbers that depends on its keys alone: each place has its own, whoever asks first. */
export interface RandomField {
  /** Standard normal. Of whole numbers: their lowest 32 bits count. */
  normal(row: number, column: number): number
}

/**
 * The random numbers of these keys by place: those of a SplitMix stream (Steele, Lea and Flood, 2014) for each row, at any
 * place of which one can begin.
 */
export function keyedField(...keys: Keys): RandomField {
  const digest = digestOfKeys(keys)
  const [first, second] = [digest.readInt32LE(0), digest.readInt32LE(4)]
  return {
    normal(row, column) {
      const stream = mixed(first + Math.imul(row, GOLDEN)) ^ second
      const place = 2 * column
      return normalOf(uniform(stream + Math.imul(place, GOLDEN)), uniform(stream + Math.imul(place + 1, GOLDEN)))
    },
  }
}

/** 2³² ÷ the golden ratio: the step from one state of a SplitMix generator to the next. */
const GOLDEN = 0x9e3779b9

const uniform = (state: number): number => (mixed(state) >>> 0) / 0x1_0000_0000

/** Of two uniform numbers (Box and Muller, 1958): 1 - the first keeps the logarithm off zero. */
const normalOf = (first: number, second: number): number => Math.sqrt(-2 * Math.log(1 - first)) * Math.cos(2 * Math.PI * second)

/** That many different ones of the values, all of them where there are no more. */
export function draw<T>(random: Random, values: readonly T[], count: number): T[] {
  const left = [...values]
  const drawn: T[] = []
  while (drawn.length < count && left.length > 0) drawn.push(...left.splice(random.integer(0, left.length - 1), 1))
  return drawn
}
