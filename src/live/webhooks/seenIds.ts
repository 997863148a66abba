/**
 * The newest ids that were seen. When there are more than `capacity`, the oldest is forgotten: should it come again after
 * all, it is taken for new.
 */
export class SeenIds {
  readonly #capacity: number
  readonly #ids = new Set<string>()

  constructor(capacity: number) {
    this.#capacity = capacity
  }

  /** @returns whether the id was new */
  add(id: string): boolean {
    if (this.#ids.has(id)) return false
    this.#ids.add(id)
    if (this.#ids.size > this.#capacity) {
      // A set keeps the order in which its members came.
      const [oldest = ''] = this.#ids
      this.#ids.delete(oldest)
    }
    return true
  }
}
