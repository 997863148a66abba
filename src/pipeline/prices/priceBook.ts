import { broken } from '../../core/error.ts'
import { canonicalPrice, type Price } from '../../core/price.ts'
import type { Mint } from '../../core/tokens.ts'
import type { PricePoint } from '../../strategy/view.ts'
import {
  firstRemembered,
  latestOf,
  latestTextOf,
  type PriceHistory,
  type PriceSeries,
  type PriceSnapshot,
  type PriceText,
  snapshotOf,
} from './priceHistory.ts'

/** One answer of the price feed. */
export interface PriceUpdate {
  /** Unix milliseconds at which the prices were known here. */
  readonly at: number
  readonly prices: ReadonlyMap<Mint, Price>
}

/**
 * The price history of a process, shared by its bots. Each update is a tick; a bot reads the book as
 * of the last tick it has processed, so that all it decides on one input rests on one snapshot.
 */
export class PriceBook implements PriceHistory {
  #tick = 0
  readonly #series = new Map<Mint, GrowingSeries>()

  get tick(): number {
    return this.#tick
  }

  /** @returns the tick of the update */
  append(update: PriceUpdate): number {
    const tick = ++this.#tick
    for (const [mint, price] of update.prices) {
      let series = this.#series.get(mint)
      if (series === undefined) {
        series = new GrowingSeries()
        this.#series.set(mint, series)
      }
      series.push(tick, update.at, canonicalPrice(price))
    }
    return tick
  }

  asOf(tick: number, now: number): PriceSnapshot {
    return snapshotOf((mint) => this.#series.get(mint), tick, now)
  }

  following(mint: Mint): (tick: number) => PricePoint | undefined {
    let series: PriceSeries | undefined
    return (tick) => {
      series ??= this.#series.get(mint)
      return latestOf(series, tick)
    }
  }

  latestText(mint: Mint, tick: number): PriceText | undefined {
    return latestTextOf(this.#series.get(mint), tick)
  }

  /** The updates after one tick and up to another, oldest first, as far as they are remembered. */
  updates(after: number, upTo: number): readonly (PriceUpdate & { readonly tick: number })[] {
    const found = new Map<number, { readonly tick: number; readonly at: number; readonly prices: Map<Mint, Price> }>()
    for (const [mint, series] of this.#series) {
      const last = series.lastAt(upTo)
      for (let index = last; index >= series.firstAt() && series.tick(index) > after; index--) {
        const tick = series.tick(index)
        const update = found.get(tick) ?? { tick, at: series.time(index), prices: new Map<Mint, Price>() }
        update.prices.set(mint, series.text(index))
        found.set(tick, update)
      }
    }
    return [...found.values()].sort((a, b) => a.tick - b.tick)
  }
}

interface Point {
  readonly tick: number
  readonly time: number
  readonly value: number
  readonly text: Price
}

class GrowingSeries implements PriceSeries {
  readonly #points: Point[] = []
  /** Points that came before those kept. */
  #forgotten = 0

  push(tick: number, time: number, text: Price): void {
    this.#points.push({ tick, time, value: Number(text), text })
    const first = firstRemembered(this.#forgotten + this.#points.length)
    if (first === this.#forgotten) return
    this.#points.splice(0, first - this.#forgotten)
    this.#forgotten = first
  }

  lastAt(tick: number): number {
    let last = this.#points.length - 1
    while (last >= 0 && this.#point(this.#forgotten + last).tick > tick) last--
    return last < 0 ? -1 : this.#forgotten + last
  }

  firstAt(): number {
    return this.#forgotten
  }

  tick = (index: number): number => this.#point(index).tick
  time = (index: number): number => this.#point(index).time
  value = (index: number): number => this.#point(index).value
  text = (index: number): Price => this.#point(index).text

  #point(index: number): Point {
    const point = this.#points[index - this.#forgotten]
    return point ?? broken('a price that is forgotten was asked for', { index })
  }
}
