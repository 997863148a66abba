import { canonicalPrice, type Price } from '../core/price.ts'
import type { Mint } from '../core/tokens.ts'
import type { PricePoint } from '../strategy/view.ts'

/** Prices as of one tick: later ones are not in it. */
export interface PriceSnapshot {
  now(mint: Mint): number | undefined
  text(mint: Mint): Price | undefined
  /** Milliseconds since the newest price was known; undefined when there is none. */
  age(mint: Mint): number | undefined
  change(mint: Mint, seconds: number): number | undefined
  history(mint: Mint, seconds: number): readonly PricePoint[]
}

/** One answer of the price feed. */
export interface PriceUpdate {
  /** Unix milliseconds at which the prices were known here. */
  readonly at: number
  readonly prices: ReadonlyMap<Mint, Price>
}

interface Series {
  readonly ticks: number[]
  readonly times: number[]
  readonly values: number[]
  readonly texts: Price[]
}

/** Points kept of one mint; the oldest are forgotten first. At one a second, over an hour. */
const MAX_POINTS = 4096

/**
 * The price history of a process, shared by its bots. Each update is a tick; a bot reads the book as
 * of the last tick it has processed, so that all it decides on one input rests on one snapshot.
 */
export class PriceBook {
  #tick = 0
  readonly #series = new Map<Mint, Series>()

  get tick(): number {
    return this.#tick
  }

  /** @returns the tick of the update */
  append(update: PriceUpdate): number {
    const tick = ++this.#tick
    for (const [mint, price] of update.prices) {
      let series = this.#series.get(mint)
      if (series === undefined) {
        series = { ticks: [], times: [], values: [], texts: [] }
        this.#series.set(mint, series)
      }
      push(series, { tick, at: update.at, price: canonicalPrice(price) })
    }
    return tick
  }

  /** @param now Unix milliseconds that `change` and `history` count back from */
  asOf(tick: number, now: number): PriceSnapshot {
    const find = (mint: Mint) => {
      const series = this.#series.get(mint)
      if (series === undefined) return undefined
      let last = series.ticks.length - 1
      while (last >= 0 && (series.ticks[last] ?? 0) > tick) last--
      return last < 0 ? undefined : { series, last }
    }
    return {
      now: (mint) => {
        const found = find(mint)
        return found?.series.values[found.last]
      },
      text: (mint) => {
        const found = find(mint)
        return found?.series.texts[found.last]
      },
      age: (mint) => {
        const found = find(mint)
        const at = found?.series.times[found.last]
        return at === undefined ? undefined : Math.max(0, now - at)
      },
      change: (mint, seconds) => {
        const found = find(mint)
        if (found === undefined) return undefined
        const { series, last } = found
        const first = lastAtOrBefore(series.times, last, now - seconds * 1000)
        const before = first < 0 ? undefined : series.values[first]
        const after = series.values[last]
        return before === undefined || after === undefined ? undefined : after / before - 1
      },
      history: (mint, seconds) => {
        const found = find(mint)
        if (found === undefined) return []
        const { series, last } = found
        const first = lastAtOrBefore(series.times, last, now - seconds * 1000 - 1) + 1
        const points: PricePoint[] = []
        for (let index = first; index <= last; index++) {
          const at = series.times[index]
          const price = series.values[index]
          if (at !== undefined && price !== undefined) points.push({ at, price })
        }
        return points
      },
    }
  }
}

function push(series: Series, point: { tick: number; at: number; price: Price }): void {
  if (series.ticks.length >= 2 * MAX_POINTS) {
    for (const column of [series.ticks, series.times, series.values, series.texts]) column.splice(0, MAX_POINTS)
  }
  series.ticks.push(point.tick)
  series.times.push(point.at)
  series.values.push(Number(point.price))
  series.texts.push(point.price)
}

/** Index of the last time not after `limit`, among the first `last + 1`; -1 when there is none. */
function lastAtOrBefore(times: readonly number[], last: number, limit: number): number {
  let low = 0
  let high = last + 1
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((times[middle] ?? Number.POSITIVE_INFINITY) <= limit) low = middle + 1
    else high = middle
  }
  return low - 1
}
