/** What a parameter is set to, as `--set` reads it: a number, of USDC where it is an amount, or a word. */
export type Value = number | boolean | string

/** What is changed of a bot, by `strategy.parameter`. What is left out stays as the config has it. */
export type Values = Readonly<Record<string, Value>>

export type Scale = 'linear' | 'log'

interface Named {
  /** `strategy.parameter`. */
  readonly name: string
}

/** Numbers from `low` to `high`, both included, a whole number of steps from the lowest. */
export interface RangeDimension extends Named {
  readonly kind: 'range'
  readonly low: number
  readonly high: number
  readonly step: number
  readonly scale: Scale
}

/** One of some values, in no order. */
export interface ChoiceDimension extends Named {
  readonly kind: 'choice'
  readonly values: readonly Value[]
}

export type Dimension = RangeDimension | ChoiceDimension

/** Digits that a sum of binary fractions is cut to, so that 0.1 + 0.2 is 0.3. */
const DIGITS = 12

/** How many values it has. */
export function sizeOf(dimension: Dimension): number {
  if (dimension.kind === 'choice') return dimension.values.length
  return Math.floor((dimension.high - dimension.low) / dimension.step + 1e-9) + 1
}

/** The value that lies at a coordinate in [0, 1]. Each value of a linear range, and each choice, has an equal part of it. */
export function valueAt(dimension: Dimension, coordinate: number): Value {
  const size = sizeOf(dimension)
  if (dimension.kind === 'choice') return dimension.values[indexIn(size, coordinate)] ?? ''
  const { low, step } = dimension
  if (dimension.scale === 'linear') return onGrid(low + indexIn(size, coordinate) * step)
  const wanted = low * (topOf(dimension) / low) ** coordinate
  return onGrid(low + Math.min(size - 1, Math.max(0, Math.round((wanted - low) / step))) * step)
}

/** Where a value lies in [0, 1]: the middle of its part. Undefined for one that the dimension has not, or not within its bounds. */
export function coordinateOf(dimension: Dimension, value: Value | undefined): number | undefined {
  const size = sizeOf(dimension)
  if (dimension.kind === 'choice') {
    const index = value === undefined ? -1 : dimension.values.indexOf(value)
    return index < 0 ? undefined : (index + 0.5) / size
  }
  const top = topOf(dimension)
  if (typeof value !== 'number' || value < dimension.low || value > top) return undefined
  if (dimension.scale === 'log' && size > 1) return Math.log(value / dimension.low) / Math.log(top / dimension.low)
  return (Math.round((value - dimension.low) / dimension.step) + 0.5) / size
}

const topOf = (dimension: RangeDimension): number => dimension.low + (sizeOf(dimension) - 1) * dimension.step
const indexIn = (size: number, coordinate: number): number => Math.min(size - 1, Math.floor(coordinate * size))
const onGrid = (value: number): number => Number(value.toPrecision(DIGITS))
