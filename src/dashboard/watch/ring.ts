/** The newest of what was put in: what is older than `most` is forgotten. */
export class Ring<T> {
  readonly #most: number
  #items: T[] = []

  constructor(most: number) {
    this.#most = most
  }

  push(item: T): void {
    this.#items.push(item)
    if (this.#items.length >= 2 * this.#most) this.#items = this.#items.slice(-this.#most)
  }

  /** Oldest first. */
  get items(): readonly T[] {
    return this.#items.slice(-this.#most)
  }
}
