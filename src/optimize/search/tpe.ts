import { errorFunction } from 'simple-statistics'
import type { Random } from '../../core/random.ts'
import { type Dimension, sizeOf, type Values } from './dimension.ts'
import { type Point, pointOf, type Space } from './space.ts'

/** A place that was tried, and how good it was found. */
export interface Observation {
  readonly point: Point
  /** Higher is better. Undefined for one that runs still or has failed: it counts as bad. */
  readonly score: number | undefined
}

const CANDIDATES = 24
/** Share of the places that count as good. */
const GOOD = 0.15
/** A kernel's width in [0, 1] for one place in one dimension; it shrinks with n^(−1/(d + 4)): David Scott (1992), Multivariate Density Estimation, 6.5. */
const WIDTH = 0.2

/**
 * Draws values from where the good places lie, best first: by how much denser the good ones are there than the bad ones. Shuhei Watanabe
 * (2023), Tree-Structured Parzen Estimator: Understanding Its Algorithm Components and Their Roles, arXiv:2304.11127; multivariate, with one
 * uniform component beside the kernels.
 *
 * @param random of this proposal alone
 */
export function proposed(space: Space, observations: readonly Observation[], random: Random): Values[] {
  const known = observations
    .flatMap(({ point, score }) => (score === undefined ? [] : [{ point, score }]))
    .toSorted((a, b) => b.score - a.score)
  const isGood = new Set(known.slice(0, Math.ceil(GOOD * known.length)).map(({ point }) => point))
  const good = new Kernels(space.dimensions, [...isGood])
  const bad = new Kernels(
    space.dimensions,
    observations.map(({ point }) => point).filter((point) => !isGood.has(point)),
  )
  return Array.from({ length: CANDIDATES }, () => space.valuesAt(good.draw(random)))
    .map((values) => ({ values, point: pointOf(space, values) }))
    .map(({ values, point }) => ({ values, gain: good.densityAt(point) / bad.densityAt(point) }))
    .toSorted((a, b) => b.gain - a.gain)
    .map(({ values }) => values)
}

/** A density on [0, 1]^d: a product kernel on each place, and one uniform component. */
class Kernels {
  readonly #dimensions: readonly Dimension[]
  readonly #points: readonly Point[]
  readonly #width: number

  constructor(dimensions: readonly Dimension[], points: readonly Point[]) {
    this.#dimensions = dimensions
    this.#points = points
    this.#width = WIDTH * Math.max(1, points.length) ** (-1 / (dimensions.length + 4))
  }

  draw(random: Random): number[] {
    const centre = this.#points[random.integer(0, this.#points.length)]
    return this.#dimensions.map((dimension, index) => this.#drawNear(dimension, centre?.[index], random))
  }

  #drawNear(dimension: Dimension, centre: number | undefined, random: Random): number {
    if (centre === undefined) return random.next()
    if (dimension.kind === 'choice') return random.next() < this.#smoothed(dimension) ? random.next() : centre
    for (;;) {
      const drawn = centre + this.#width * random.normal()
      if (drawn >= 0 && drawn < 1) return drawn
    }
  }

  densityAt(place: Point): number {
    let density = 1
    for (const point of this.#points) density += this.#kernelAt(point, place)
    return density / (this.#points.length + 1)
  }

  #kernelAt(centre: Point, place: Point): number {
    let density = 1
    for (const [index, dimension] of this.#dimensions.entries()) {
      const [middle, at] = [centre[index], place[index]]
      // A place at which the parameter does not count says nothing of it.
      if (middle !== undefined && at !== undefined)
        density *= dimension.kind === 'choice' ? this.#ofChoice(dimension, middle, at) : this.#ofRange(middle, at)
    }
    return density
  }

  /** The chance of any value, each alike: as if each had been seen once more among all places. */
  #smoothed(dimension: Dimension): number {
    const size = sizeOf(dimension)
    return size / (size + this.#points.length)
  }

  #ofChoice(dimension: Dimension, middle: number, at: number): number {
    const [size, any] = [sizeOf(dimension), this.#smoothed(dimension)]
    return any + (Math.floor(middle * size) === Math.floor(at * size) ? (1 - any) * size : 0)
  }

  /** Normal, cut to [0, 1]. */
  #ofRange(middle: number, at: number): number {
    const width = this.#width
    const within = (errorFunction((1 - middle) / (width * Math.SQRT2)) + errorFunction(middle / (width * Math.SQRT2))) / 2
    return Math.exp(-0.5 * ((at - middle) / width) ** 2) / (Math.sqrt(2 * Math.PI) * width * within)
  }
}
