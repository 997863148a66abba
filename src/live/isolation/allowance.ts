/** So many things in a while, and the rest of them counted: what a strategy can flood must have a bound. */
export class Allowance {
  readonly #most: number
  #used = 0

  constructor(most: number) {
    this.#most = most
  }

  /** @returns whether there is one left */
  take(): boolean {
    this.#used += 1
    return this.#used <= this.#most
  }

  /** @returns how many were asked for in vain */
  renew(): number {
    const missed = Math.max(0, this.#used - this.#most)
    this.#used = 0
    return missed
  }
}
