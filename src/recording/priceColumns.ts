import type { Price } from '../core/price.ts'
import type { Mint } from '../core/tokens.ts'

/** The columns of `prices` lines: tokens in the order in which they were first priced. */
export class PriceColumns {
  readonly #columns = new Map<Mint, number>()

  constructor(mints: readonly Mint[]) {
    this.add(mints)
  }

  get mints(): readonly Mint[] {
    return [...this.#columns.keys()]
  }

  add(mints: readonly Mint[]): void {
    for (const mint of mints) this.#columns.set(mint, this.#columns.size)
  }

  /** Those of the tokens that have no column yet. */
  missing(mints: Iterable<Mint>): Mint[] {
    return [...mints].filter((mint) => !this.#columns.has(mint))
  }

  /** The prices by column; each token must have one. */
  row(prices: ReadonlyMap<Mint, Price>): (Price | null)[] {
    const row: (Price | null)[] = []
    for (const [mint, price] of prices) {
      const column = this.#columns.get(mint) ?? 0
      while (row.length <= column) row.push(null)
      row[column] = price
    }
    return row
  }
}
