import { countUpTo } from '../../core/countUpTo.ts'
import { CornermanError } from '../../core/error.ts'
import type { Price } from '../../core/price.ts'
import type { Mint } from '../../core/tokens.ts'
import {
  firstRemembered,
  latestOf,
  latestTextOf,
  type PriceHistory,
  type PriceSeries,
  type PriceSnapshot,
  type PriceText,
  snapshotOf,
} from '../../pipeline/index.ts'
import type { CompiledPrices } from '../../recording/tables.ts'
import type { PricePoint } from '../../strategy/view.ts'

/** The price history of a compiled log: read in place, column by column, and never ahead of the tick it is asked for. */
export class ColumnBook implements PriceHistory {
  readonly #prices: CompiledPrices
  readonly #series = new Map<Mint, ColumnSeries | undefined>()

  constructor(prices: CompiledPrices) {
    this.#prices = prices
  }

  asOf(tick: number, now: number): PriceSnapshot {
    return snapshotOf((mint) => this.#of(mint), tick, now)
  }

  following(mint: Mint): (tick: number) => PricePoint | undefined {
    const series = this.#of(mint)
    return (tick) => series?.pointAt(tick)
  }

  latestText(mint: Mint, tick: number): PriceText | undefined {
    return latestTextOf(this.#of(mint), tick)
  }

  #of(mint: Mint): ColumnSeries | undefined {
    let series = this.#series.get(mint)
    if (series === undefined && !this.#series.has(mint)) {
      const column = this.#prices.of(mint)
      series = column === undefined ? undefined : new ColumnSeries(column, this.#prices.known)
      this.#series.set(mint, series)
    }
    return series
  }
}

type Column = NonNullable<ReturnType<CompiledPrices['of']>>

class ColumnSeries implements PriceSeries {
  readonly #column: Column
  /** By tick, from 1: Unix milliseconds. */
  readonly #known: Float64Array
  /** Where the last search ended: the next one is for the same tick or the one after it. */
  #cursor = -1

  constructor(column: Column, known: Float64Array) {
    this.#column = column
    this.#known = known
  }

  lastAt(tick: number): number {
    const { ticks } = this.#column
    // A token that every answer of the feed has a price of.
    if (ticks[tick - 1] === tick) return tick - 1
    const cursor = this.#cursor
    const next = ticks[cursor + 1] ?? Number.POSITIVE_INFINITY
    const afterNext = ticks[cursor + 2] ?? Number.POSITIVE_INFINITY
    if (cursor >= 0 && at(ticks, cursor) > tick) this.#cursor = countUpTo(ticks, tick) - 1
    else if (next <= tick) this.#cursor = afterNext > tick ? cursor + 1 : countUpTo(ticks, tick) - 1
    return this.#cursor
  }

  /** What `latestOf` says: a token that every answer of the feed has a price of is asked for at every tick. */
  pointAt(tick: number): PricePoint | undefined {
    const { ticks, values } = this.#column
    const [time, price] = [this.#known[tick - 1], values[tick - 1]]
    if (ticks[tick - 1] !== tick || time === undefined || price === undefined) return latestOf(this, tick)
    return { at: time, price }
  }

  firstAt(last: number): number {
    return firstRemembered(last + 1)
  }

  time(index: number): number {
    return at(this.#known, at(this.#column.ticks, index) - 1)
  }

  value(index: number): number {
    return at(this.#column.values, index)
  }

  text(index: number): Price {
    return this.#column.text(index)
  }
}

function at(column: Int32Array | Float64Array, index: number): number {
  const value = column[index]
  if (value === undefined) throw new CornermanError('INVARIANT', `the log has no price of index ${index}`)
  return value
}
