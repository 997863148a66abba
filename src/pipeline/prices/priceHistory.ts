import type { Price } from '../../core/price.ts'
import type { Mint } from '../../core/tokens.ts'
import type { PricePoint } from '../../strategy/view.ts'

/** Prices as of one tick: later ones are not in it. */
export interface PriceSnapshot {
  now(mint: Mint): number | undefined
  text(mint: Mint): Price | undefined
  /** Milliseconds since the newest price was known; undefined when there is none. */
  age(mint: Mint): number | undefined
  change(mint: Mint, seconds: number): number | undefined
  history(mint: Mint, seconds: number): readonly PricePoint[]
}

/** The prices of a process, read as of a tick: each tick is one answer of the feed. */
export interface PriceHistory {
  asOf(tick: number, now: number): PriceSnapshot
  /** The newest point of a mint as of a tick, for who asks at every tick; undefined when there is none. */
  following(mint: Mint): (tick: number) => PricePoint | undefined
  /** The newest point with the exact price, for what decides about money. */
  latestText(mint: Mint, tick: number): PriceText | undefined
}

export interface PriceText {
  /** Unix milliseconds at which it was known. */
  readonly at: number
  readonly price: Price
}

/** The points of one mint, oldest first. Indexes are of the whole series; those of forgotten points are never asked for. */
export interface PriceSeries {
  /** The index of the newest point as of a tick; -1 when there is none. */
  lastAt(tick: number): number
  /** The oldest point that is remembered once `last` is the newest. */
  firstAt(last: number): number
  /** Unix milliseconds at which it was known here. */
  time(index: number): number
  value(index: number): number
  text(index: number): Price
}

/**
 * Points remembered of one mint: at one a second, over an hour. They are forgotten in one go, once there are twice as
 * many: how many a strategy sees of a long history is the same live and in a backtest.
 */
const MAX_POINTS = 4096

/** The index of the oldest point remembered, of a series that has come to `count` points. */
export function firstRemembered(count: number): number {
  return count <= 2 * MAX_POINTS ? 0 : Math.floor((count - MAX_POINTS - 1) / MAX_POINTS) * MAX_POINTS
}

/** The newest point of a series as of a tick; undefined where there is none. */
export function latestOf(series: PriceSeries | undefined, tick: number): PricePoint | undefined {
  const last = series?.lastAt(tick) ?? -1
  return series === undefined || last < 0 ? undefined : { at: series.time(last), price: series.value(last) }
}

export function latestTextOf(series: PriceSeries | undefined, tick: number): PriceText | undefined {
  const last = series?.lastAt(tick) ?? -1
  return series === undefined || last < 0 ? undefined : { at: series.time(last), price: series.text(last) }
}

/** @param now Unix milliseconds that `change` and `history` count back from */
export function snapshotOf(seriesOf: (mint: Mint) => PriceSeries | undefined, tick: number, now: number): PriceSnapshot {
  const find = (mint: Mint) => {
    const series = seriesOf(mint)
    const last = series?.lastAt(tick) ?? -1
    return series === undefined || last < 0 ? undefined : { series, last }
  }
  return {
    now: (mint) => {
      const found = find(mint)
      return found?.series.value(found.last)
    },
    text: (mint) => {
      const found = find(mint)
      return found?.series.text(found.last)
    },
    age: (mint) => {
      const found = find(mint)
      return found === undefined ? undefined : Math.max(0, now - found.series.time(found.last))
    },
    change: (mint, seconds) => {
      const found = find(mint)
      if (found === undefined) return undefined
      const { series, last } = found
      const first = lastAtOrBefore(series, last, now - seconds * 1000)
      return first < series.firstAt(last) ? undefined : series.value(last) / series.value(first) - 1
    },
    history: (mint, seconds) => {
      const found = find(mint)
      if (found === undefined) return []
      const { series, last } = found
      const points: PricePoint[] = []
      for (let index = lastAtOrBefore(series, last, now - seconds * 1000 - 1) + 1; index <= last; index++) {
        points.push({ at: series.time(index), price: series.value(index) })
      }
      return points
    },
  }
}

/** Index of the last point not after `limit`, up to `last`; one before the oldest remembered when there is none. */
function lastAtOrBefore(series: PriceSeries, last: number, limit: number): number {
  let low = series.firstAt(last)
  let high = last + 1
  while (low < high) {
    const middle = (low + high) >>> 1
    if (series.time(middle) <= limit) low = middle + 1
    else high = middle
  }
  return low - 1
}
