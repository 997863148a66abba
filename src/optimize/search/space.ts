import { coordinateOf, type Dimension, type Value, type Values, valueAt } from './dimension.ts'

/** A place in the space, a coordinate a dimension, each in [0, 1]; undefined where the parameter does not count. */
export type Point = readonly (number | undefined)[]

/** A parameter of a searched strategy that stays as it is. */
export interface Fixed {
  /** `strategy.parameter`. */
  readonly name: string
  readonly because: 'no bounds' | 'one value' | 'set' | 'varied only if named'
}

/** What a search goes through. */
export interface Space {
  readonly dimensions: readonly Dimension[]
  readonly fixed: readonly Fixed[]
  /** What the incumbent has in the dimensions; without those that have no part in it. */
  readonly incumbent: Values
  /** The values at a place, rounded to their steps, without those whose condition fails. */
  valuesAt(coordinates: readonly number[]): Values
  /** Whether the strategies take these values together. */
  isAllowed(values: Values): boolean
}

export interface SpaceParts extends Pick<Space, 'dimensions' | 'incumbent'> {
  readonly fixed?: readonly Fixed[]
  /** Whether a dimension counts beside these values. Default: each does. */
  readonly counts?: (name: string, values: Values) => boolean
  readonly isAllowed?: (values: Values) => boolean
}

/** A space of known dimensions. */
export function spaceFrom({ dimensions, incumbent, fixed = [], counts = () => true, isAllowed = () => true }: SpaceParts): Space {
  return {
    ...{ dimensions, fixed, incumbent, isAllowed },
    valuesAt(coordinates) {
      const all = Object.fromEntries(dimensions.map((dimension, index) => [dimension.name, valueAt(dimension, coordinates[index] ?? 0)]))
      return Object.fromEntries(Object.entries(all).filter(([name]) => counts(name, all)))
    },
  }
}

/** Where these values lie, each in the middle of its step. */
export function pointOf({ dimensions }: Pick<Space, 'dimensions'>, values: Values): Point {
  return dimensions.map((dimension) => coordinateOf(dimension, values[dimension.name]))
}

/** Equal for values that are the same. */
export function keyOf({ dimensions }: Pick<Space, 'dimensions'>, values: Values): string {
  return JSON.stringify(dimensions.map(({ name }): Value | null => values[name] ?? null))
}
