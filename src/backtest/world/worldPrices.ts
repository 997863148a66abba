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

/** From one price of a token to the next, in Unix milliseconds; after the last price there is no end to it. */
interface Gap {
  readonly column: PriceColumn
  readonly row: number
  readonly from: number
  readonly to: number
  bridge: Float64Array | undefined
}

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
  /** The gap of each token that was last asked for. */
  readonly #last = new Map<Mint, Gap>()
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
    const fact = this.#factNear(mint, atMs)
    if (fact !== undefined) {
      const newestAt = this.#prices.known[countUpTo(this.#prices.known, atMs) - 1] ?? Number.NEGATIVE_INFINITY
      if (Math.abs(fact.at - atMs) <= atMs - newestAt) return fact.price
    }
    return this.#between(mint, atMs)
  }

  volatilityPerSecond = (mint: Mint): number | null => {
    const known = this.#volatility.get(mint)
    if (known !== undefined) return known
    const volatility = this.#measure(mint)
    this.#volatility.set(mint, volatility)
    return volatility
  }

  /** The newest price of the feed; where the next one is long in coming, one on the way to it. */
  #between(mint: Mint, atMs: number): Price | null {
    const gap = this.#gapAt(mint, atMs)
    if (gap === undefined) return null
    const { column, row, from, to } = gap
    if (to - from <= COARSE_MS || atMs < from + 1000 || to === Number.POSITIVE_INFINITY) return column.text(row)
    gap.bridge ??= this.#bridge(mint, gap)
    return priceFromNumber(gap.bridge[Math.floor((atMs - from) / 1000)] ?? column.values[row] ?? Number.NaN)
  }

  /** The gap between two prices that an instant lies in; undefined before the first price. */
  #gapAt(mint: Mint, atMs: number): Gap | undefined {
    const last = this.#last.get(mint)
    // A contest that is looked at every second asks for the same gap again and again.
    if (last !== undefined && last.from <= atMs && atMs < last.to) return last
    const column = this.#prices.of(mint)
    if (column === undefined) return undefined
    const row = countUpTo(column.ticks, countUpTo(this.#prices.known, atMs)) - 1
    if (row < 0) return undefined
    const [from = Number.NaN, to = Number.POSITIVE_INFINITY] = [this.#timeOf(column, row), this.#timeOf(column, row + 1)]
    const gap = { column, row, from, to, bridge: undefined }
    this.#last.set(mint, gap)
    return gap
  }

  #bridge(mint: Mint, { column, row, from, to }: Gap): Float64Array {
    let bridges = this.#bridges.get(mint)
    if (bridges === undefined) {
      bridges = new Map()
      this.#bridges.set(mint, bridges)
    }
    const known = bridges.get(row)
    if (known !== undefined) return known
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
