import type { PriceSource } from '../../contests/house/index.ts'
import { brownianBridge, stepVolatility } from '../../core/brownianBridge.ts'
import { countUpTo } from '../../core/countUpTo.ts'
import { type Price, priceFromNumber } from '../../core/price.ts'
import { keyedRandom } from '../../core/random.ts'
import type { Mint } from '../../core/tokens.ts'
import type { CompiledPrices, PriceColumn } from '../../recording/tables.ts'
import type { RecordedPrice } from '../log/opportunity.ts'

/** A price that the service itself has shown counts at this distance in time, unless one of the feed is nearer. */
const FACT_REACH_MS = 1500

/** What is known of one token, oldest first. */
interface Facts {
  readonly at: Float64Array
  readonly facts: readonly RecordedPrice[]
}

/** A feed with longer gaps than this says too little of what happened in between. */
const COARSE_MS = 5000
/** Of these, so many of a token are remembered. */
const MOST_BRIDGES = 64

/** By the row of the column that they begin at, the oldest first. */
type Bridges = Map<number, Float64Array>

/**
 * The service's prices in a backtest: those that the log shows to have decided contests, and between them the newest of
 * the bot's own feed. In the gaps of a coarse feed they go a way of their own to the next one, a seeded Brownian bridge as in the
 * sandbox: a price that stood still would make every prediction right. The bot sees nothing of it.
 */
export class WorldPrices implements PriceSource {
  readonly #prices: CompiledPrices
  readonly #seed: number
  /** By token, oldest first. */
  readonly #facts = new Map<Mint, Facts>()
  readonly #bridges = new Map<Mint, Bridges>()
  readonly #volatility = new Map<Mint, number | null>()

  constructor(prices: CompiledPrices, facts: readonly RecordedPrice[], seed: number) {
    this.#prices = prices
    this.#seed = seed
    const sorted = facts.toSorted((a, b) => a.at - b.at)
    for (const [mint, own] of Map.groupBy(sorted, (fact) => fact.mint)) {
      this.#facts.set(mint, { at: Float64Array.from(own, ({ at }) => at), facts: own })
    }
  }

  readonly at = (mint: Mint, atMs: number): Price | null => {
    const tick = this.tickAt(atMs)
    const fact = this.#factNear(mint, atMs)
    const feedAgeMs = atMs - (this.#prices.known[tick - 1] ?? Number.NEGATIVE_INFINITY)
    return fact !== undefined && Math.abs(fact.at - atMs) <= feedAgeMs ? fact.price : this.#between(mint, tick, atMs)
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

  /** The newest price of the feed; where the next one is long in coming, one on the way to it. */
  #between(mint: Mint, tick: number, atMs: number): Price | null {
    const column = this.#prices.of(mint)
    if (column === undefined) return null
    const row = countUpTo(column.ticks, tick) - 1
    if (row < 0) return null
    const [from, to] = [this.#timeOf(column, row), this.#timeOf(column, row + 1)]
    if (to === undefined || from === undefined || to - from <= COARSE_MS || atMs < from + 1000) return column.text(row)
    return priceFromNumber(this.#bridge(mint, column, row)[Math.floor((atMs - from) / 1000)] ?? column.values[row] ?? Number.NaN)
  }

  #bridge(mint: Mint, column: PriceColumn, row: number): Float64Array {
    let bridges = this.#bridges.get(mint)
    if (bridges === undefined) {
      bridges = new Map()
      this.#bridges.set(mint, bridges)
    }
    const known = bridges.get(row)
    if (known !== undefined) return known
    const [from = 0, to = 0] = [this.#timeOf(column, row), this.#timeOf(column, row + 1)]
    const oldest = bridges.size < MOST_BRIDGES ? undefined : bridges.keys().next().value
    if (oldest !== undefined) bridges.delete(oldest)
    const bridge = brownianBridge({
      from: column.values[row] ?? Number.NaN,
      to: column.values[row + 1] ?? Number.NaN,
      steps: Math.ceil((to - from) / 1000),
      volatility: this.volatilityPerSecond(mint) ?? 0,
      random: keyedRandom(this.#seed, 'bridge', mint, row),
    })
    bridges.set(row, bridge)
    return bridge
  }

  #timeOf({ ticks }: PriceColumn, row: number): number | undefined {
    const tick = ticks[row]
    return tick === undefined ? undefined : this.#prices.known[tick - 1]
  }

  /** Of the whole log: the service knows what is still to come, and reference opponents are not what is tested. */
  #measure(mint: Mint): number | null {
    const column = this.#prices.of(mint)
    const rows = (column?.values.length ?? 0) - 1
    if (column === undefined || rows < 1) return null
    const seconds = ((this.#timeOf(column, rows) ?? 0) - (this.#timeOf(column, 0) ?? 0)) / 1000
    return seconds > 0 ? stepVolatility(column.values) * Math.sqrt(rows / seconds) : null
  }

  #factNear(mint: Mint, atMs: number): RecordedPrice | undefined {
    const known = this.#facts.get(mint)
    if (known === undefined) return undefined
    const next = countUpTo(known.at, atMs)
    const [before, after] = [known.facts[next - 1], known.facts[next]]
    const nearest = before === undefined || (after !== undefined && after.at - atMs < atMs - before.at) ? after : before
    return nearest !== undefined && Math.abs(nearest.at - atMs) <= FACT_REACH_MS ? nearest : undefined
  }
}
