import type { PriceSource } from '../../contests/house/index.ts'
import type { Price } from '../../core/price.ts'
import type { Mint } from '../../core/tokens.ts'
import type { CompiledPrices } from '../../recording/index.ts'
import type { ColumnBook } from '../columnBook.ts'
import { countUpTo } from '../countUpTo.ts'
import type { RecordedPrice } from '../log/opportunity.ts'

/** A price that the service itself has shown counts at this distance in time, unless one of the feed is nearer. */
const FACT_REACH_MS = 1500

/**
 * The service's prices in a backtest: those that the log shows to have decided contests, and between them the newest of
 * the bot's own feed.
 */
export class WorldPrices implements PriceSource {
  readonly #prices: CompiledPrices
  readonly #book: ColumnBook
  /** By token, oldest first. */
  readonly #facts = new Map<Mint, RecordedPrice[]>()
  readonly #volatility = new Map<Mint, number | null>()

  constructor(prices: CompiledPrices, book: ColumnBook, facts: readonly RecordedPrice[]) {
    this.#prices = prices
    this.#book = book
    for (const fact of facts.toSorted((a, b) => a.at - b.at)) {
      const known = this.#facts.get(fact.mint)
      if (known === undefined) this.#facts.set(fact.mint, [fact])
      else known.push(fact)
    }
  }

  readonly at = (mint: Mint, atMs: number): Price | null => {
    const tick = this.tickAt(atMs)
    const fact = this.#factNear(mint, atMs)
    const feedAgeMs = atMs - (this.#prices.known[tick - 1] ?? Number.NEGATIVE_INFINITY)
    return fact !== undefined && Math.abs(fact.at - atMs) <= feedAgeMs ? fact.price : this.#book.text(mint, tick)
  }

  /** The newest tick known at an instant; 0 before the first. */
  tickAt(atMs: number): number {
    return countUpTo(this.#prices.known, atMs)
  }

  volatilityPerSecond = (mint: Mint): number | null => {
    const known = this.#volatility.get(mint)
    if (known !== undefined) return known
    const volatility = this.#measure(mint)
    this.#volatility.set(mint, volatility)
    return volatility
  }

  /** Of the whole log: reference opponents are not what is tested. */
  #measure(mint: Mint): number | null {
    const column = this.#prices.of(mint)
    if (column === undefined || column.values.length < 2) return null
    const { ticks, values } = column
    let squares = 0
    for (let row = 1; row < values.length; row++) squares += Math.log((values[row] ?? 1) / (values[row - 1] ?? 1)) ** 2
    const timeOf = (row: number) => this.#prices.known[(ticks[row] ?? 1) - 1] ?? 0
    const seconds = (timeOf(values.length - 1) - timeOf(0)) / 1000
    return seconds > 0 ? Math.sqrt(squares / seconds) : null
  }

  #factNear(mint: Mint, atMs: number): RecordedPrice | undefined {
    const facts = this.#facts.get(mint)
    if (facts === undefined) return undefined
    const next = facts.findIndex(({ at }) => at > atMs)
    const [before, after] = next < 0 ? [facts.at(-1), undefined] : [facts[next - 1], facts[next]]
    const nearest = before === undefined || (after !== undefined && after.at - atMs < atMs - before.at) ? after : before
    return nearest !== undefined && Math.abs(nearest.at - atMs) <= FACT_REACH_MS ? nearest : undefined
  }
}
