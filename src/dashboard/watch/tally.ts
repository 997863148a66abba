import type { Result } from '../../contract/enums.ts'
import type { Usdc } from '../../core/usdc.ts'
import type { Tally } from './views.ts'

const NOTHING: Tally = { results: { WIN: 0, LOSS: 0, DRAW: 0, REFUND: 0 }, staked: '0', profit: '0' }

/** Counts settled contests apart by some trait of theirs. */
export class Tallies {
  readonly #tallies = new Map<string, Tally>()
  readonly #most: number

  /** @param most values of the trait: of more, those that came first are forgotten */
  constructor(most = Number.POSITIVE_INFINITY) {
    this.#most = most
  }

  add(trait: string, settled: { readonly result: Result; readonly stake: Usdc; readonly profit: Usdc }): void {
    const before = this.#tallies.get(trait) ?? NOTHING
    this.#tallies.set(trait, {
      results: { ...before.results, [settled.result]: before.results[settled.result] + 1 },
      staked: `${BigInt(before.staked) + settled.stake}`,
      profit: `${BigInt(before.profit) + settled.profit}`,
    })
    for (const [oldest] of this.#tallies) {
      if (this.#tallies.size <= this.#most) return
      this.#tallies.delete(oldest)
    }
  }

  get view(): Readonly<Record<string, Tally>> {
    return Object.fromEntries(this.#tallies)
  }
}
