import type { PriceFeed, PriceSource } from '../../contests/house/index.ts'
import { BrownianBridge, stepVolatility } from '../../core/brownianBridge.ts'
import { countUpTo } from '../../core/countUpTo.ts'
import { type Price, priceFromNumber } from '../../core/price.ts'
import { keyedField, type RandomField } from '../../core/random.ts'
import type { Mint } from '../../core/tokens.ts'
import type { CompiledPrices, PriceColumn } from '../../recording/tables.ts'
import type { RecordedPrice } from '../log/opportunity.ts'
import type { Pause } from '../log/pauses.ts'

/** A price that the service itself has shown counts at this distance in time, unless one of the feed is nearer. */
const FACT_REACH_MS = 1500

/** What is known of one token, oldest first. */
interface Facts {
  readonly at: Float64Array
  readonly facts: readonly RecordedPrice[]
}

/** So many rows are looked at one by one: any more are found sooner by halves. */
const NEAR_ROWS = 32

/** A feed with longer gaps than this says too little of what happened in between. */
export const COARSE_MS = 5000

/** A token's column, and what its bridges are drawn from. */
interface Track {
  readonly column: PriceColumn
  /** Of the whole log: the service knows what is still to come, and reference opponents are not what is tested. */
  readonly volatilityPerSecond: number | null
  readonly random: RandomField
}

export interface WorldPricesOptions {
  /** What the service itself has shown. */
  readonly facts: readonly RecordedPrice[]
  readonly pauses: readonly Pause[]
  /** Keys the bridges. */
  readonly seed: number
  /** The usual time between two prices of the log. */
  readonly stepMs: number
}

/** From one price of a token to the next, in Unix milliseconds; after the last price there is no end to it. */
interface Gap {
  readonly track: Track
  readonly row: number
  readonly from: number
  readonly to: number
  /** From when on nobody knows a price: a pause of the log has begun. */
  readonly silentFrom: number
  bridge: BrownianBridge | undefined
  /** Texts of prices on the bridge, by step. */
  texts: Map<number, Price> | undefined
  /** The one that was asked for before: who looks at a price often looks back at an earlier one, and at both again. */
  other: Gap | undefined
}

/**
 * The service's prices in a backtest: those that the log shows to have decided contests, and between them the newest of
 * the bot's own feed. In the gaps of a coarse feed they go a way of their own to the next one, a seeded Brownian bridge as in the
 * sandbox: a price that stood still would make every prediction right. Nobody who plays sees anything of it, the house no more than the
 * bot: the way leads to the next price of the log. In a pause of the log there is no price.
 */
export class WorldPrices implements PriceSource {
  readonly #prices: CompiledPrices
  readonly #pauses: readonly Pause[]
  readonly #seed: number
  /** By token, oldest first. */
  readonly #facts = new Map<Mint, Facts>()
  readonly #tracks = new Map<Mint, Track | null>()
  /** The gap of each token that was last asked for. */
  readonly #last = new Map<Mint, Gap>()
  /** Of a coarse log: its own prices. */
  readonly feed?: PriceFeed

  constructor(prices: CompiledPrices, { facts, pauses, seed, stepMs }: WorldPricesOptions) {
    this.#prices = prices
    this.#pauses = pauses
    this.#seed = seed
    if (stepMs > COARSE_MS) this.feed = { at: (mint, atMs) => this.#published(mint, atMs), periodSec: stepMs / 1000 }
    const sorted = facts.toSorted((a, b) => a.at - b.at)
    for (const [mint, own] of Map.groupBy(sorted, (fact) => fact.mint)) {
      this.#facts.set(mint, { at: Float64Array.from(own, ({ at }) => at), facts: own })
    }
  }

  readonly at = (mint: Mint, atMs: number): Price | null => {
    const fact = this.#factAt(mint, atMs)
    if (fact !== undefined) return fact.price
    const gap = this.#gapAt(mint, atMs)
    if (gap === undefined || atMs >= gap.silentFrom) return null
    const step = stepOf(gap, atMs)
    if (step === 0) return gap.track.column.text(gap.row)
    gap.texts ??= new Map()
    let text = gap.texts.get(step)
    if (text === undefined) {
      text = priceFromNumber(onBridge(gap, step))
      gap.texts.set(step, text)
    }
    return text
  }

  /** The number that `at` is the text of, up to what its digits round off. */
  readonly near = (mint: Mint, atMs: number): number | null => {
    const fact = this.#factAt(mint, atMs)
    if (fact !== undefined) return Number(fact.price)
    const gap = this.#gapAt(mint, atMs)
    if (gap === undefined || atMs >= gap.silentFrom) return null
    return onBridge(gap, stepOf(gap, atMs))
  }

  readonly volatilityPerSecond = (mint: Mint): number | null => this.#trackOf(mint)?.volatilityPerSecond ?? null

  /** The newest price of the log itself. */
  #published(mint: Mint, atMs: number): Price | null {
    const gap = this.#gapAt(mint, atMs)
    return gap === undefined || atMs >= gap.silentFrom ? null : gap.track.column.text(gap.row)
  }

  /** The gap between two prices that an instant lies in; undefined before the first price. */
  #gapAt(mint: Mint, atMs: number): Gap | undefined {
    const last = this.#last.get(mint)
    // A contest that is looked at every second asks for the same gap again and again.
    if (last !== undefined && last.from <= atMs && atMs < last.to) return last
    const other = last?.other
    if (last !== undefined && other !== undefined && other.from <= atMs && atMs < other.to) {
      last.other = undefined
      other.other = last
      this.#last.set(mint, other)
      return other
    }
    const track = this.#trackOf(mint)
    if (track === null) return undefined
    const { column } = track
    const row = this.#rowAt(column, atMs, last?.row)
    if (row < 0) return undefined
    const [from = Number.NaN, to = Number.POSITIVE_INFINITY] = [this.#timeOf(column, row), this.#timeOf(column, row + 1)]
    if (last !== undefined) last.other = undefined
    const pause = this.#pauses.find((each) => from <= each.from && each.to <= to)
    const silentFrom = pause === undefined ? Number.POSITIVE_INFINITY : pause.from + COARSE_MS
    const gap: Gap = { track, row, from, to, silentFrom, bridge: undefined, texts: undefined, other: last }
    this.#last.set(mint, gap)
    return gap
  }

  /** The newest row of a column that is known by then, which is seldom far after the one that was asked for last; -1 where none is. */
  #rowAt(column: PriceColumn, atMs: number, hint = 0): number {
    let at = this.#timeOf(column, hint)
    for (let row = hint; row < hint + NEAR_ROWS && at !== undefined && at <= atMs; row++) {
      at = this.#timeOf(column, row + 1)
      if (at === undefined || at > atMs) return row
    }
    return countUpTo(column.ticks, countUpTo(this.#prices.known, atMs)) - 1
  }

  #trackOf(mint: Mint): Track | null {
    const known = this.#tracks.get(mint)
    if (known !== undefined) return known
    const column = this.#prices.of(mint)
    const track: Track | null =
      column === undefined
        ? null
        : { column, volatilityPerSecond: this.#volatilityOf(column), random: keyedField(this.#seed, 'bridge', mint) }
    this.#tracks.set(mint, track)
    return track
  }

  #timeOf({ ticks }: PriceColumn, row: number): number | undefined {
    const tick = ticks[row]
    return tick === undefined ? undefined : this.#prices.known[tick - 1]
  }

  #volatilityOf(column: PriceColumn): number | null {
    const known = volatilities.get(column)
    if (known !== undefined) return known
    const volatility = this.#measureVolatility(column)
    volatilities.set(column, volatility)
    return volatility
  }

  #measureVolatility(column: PriceColumn): number | null {
    const rows = column.values.length - 1
    if (rows < 1) return null
    const seconds = ((this.#timeOf(column, rows) ?? 0) - (this.#timeOf(column, 0) ?? 0)) / 1000
    return seconds > 0 ? stepVolatility(column.values) * Math.sqrt(rows / seconds) : null
  }

  /** The price that the service itself has shown, where no price of the feed is nearer. */
  #factAt(mint: Mint, atMs: number): RecordedPrice | undefined {
    const fact = this.#factNear(mint, atMs)
    if (fact === undefined) return undefined
    const newestAt = this.#prices.known[countUpTo(this.#prices.known, atMs) - 1] ?? Number.NEGATIVE_INFINITY
    return Math.abs(fact.at - atMs) <= atMs - newestAt ? fact : undefined
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

/** Of the columns of logs that are played: by every bot, and in every run. */
const volatilities = new WeakMap<PriceColumn, number | null>()

/** Where in a gap an instant is, in seconds: on the way to the next price where that is long in coming, else still at the first. */
function stepOf({ from, to, silentFrom }: Gap, atMs: number): number {
  const isStill = to - from <= COARSE_MS || to === Number.POSITIVE_INFINITY || silentFrom !== Number.POSITIVE_INFINITY
  return isStill ? 0 : Math.floor((atMs - from) / 1000)
}

function onBridge(gap: Gap, step: number): number {
  if (step === 0) return gap.track.column.values[gap.row] ?? Number.NaN
  gap.bridge ??= bridgeOf(gap)
  return gap.bridge.at(step) ?? Number.NaN
}

/** Made again where its gap is asked for a second time, it is the same one. */
function bridgeOf({ track: { column, volatilityPerSecond, random }, row, from, to }: Gap): BrownianBridge {
  return new BrownianBridge({
    from: column.values[row] ?? Number.NaN,
    to: column.values[row + 1] ?? Number.NaN,
    steps: Math.ceil((to - from) / 1000),
    volatility: volatilityPerSecond ?? 0,
    random,
    row,
  })
}
