/**
 * A series that never grows past twice its size: then every second point goes, the first and the newest stay. What is long ago is
 * coarser than what was just now.
 */
export class Thinned<T> {
  readonly #most: number
  #points: T[] = []

  constructor(most: number) {
    this.#most = most
  }

  get points(): readonly T[] {
    return this.#points.length <= this.#most ? this.#points : everySecond(this.#points)
  }

  push(point: T): void {
    this.#points.push(point)
    if (this.#points.length >= 2 * this.#most) this.#points = everySecond(this.#points)
  }

  /** Takes back the newest point, where it is to be put better. */
  replaceNewest(point: T): void {
    this.#points[Math.max(0, this.#points.length - 1)] = point
  }

  get newest(): T | undefined {
    return this.#points.at(-1)
  }

  get beforeNewest(): T | undefined {
    return this.#points.at(-2)
  }
}

const everySecond = <T>(points: readonly T[]): T[] => points.filter((_, index) => index % 2 === 0 || index === points.length - 1)

/** At most `most` of the points, evenly chosen, the first and the last among them. */
export function thin<T>(points: readonly T[], most: number): readonly T[] {
  if (points.length <= most) return points
  const step = (points.length - 1) / (most - 1)
  return Array.from({ length: most }, (_, index) => points[Math.round(index * step)] as T)
}
