import { keyedRandom } from '../../src/core/random.ts'

/**
 * What is drawn for one service: each dimension by itself, so that one more changes none of the others. What departs at a chance of
 * 0.15 departs alike at 0.6.
 */
export class Draws {
  readonly #seed: number
  readonly #departure: number
  readonly #departures: string[] = []

  /** @param departure the chance that a dimension is not as in the sandbox; of seed 0 none departs */
  constructor(seed: number, departure: number) {
    this.#seed = seed
    this.#departure = seed === 0 ? 0 : departure
  }

  /** Dimensions that depart, in the order they were drawn. */
  get departures(): readonly string[] {
    return this.#departures
  }

  /** As the sandbox has it, or one of the others; where there are none, as the sandbox has it. */
  of<T>(dimension: string, usual: T, others: readonly T[]): T {
    const random = keyedRandom('service shape', this.#seed, dimension)
    if (random.next() >= this.#departure || others.length === 0) return usual
    this.#departures.push(dimension)
    return others[random.integer(0, others.length - 1)] as T
  }
}
