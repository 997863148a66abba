import type { ContestView } from '../../watch/views.ts'

export interface PriceLine {
  readonly mint: string
  readonly symbol: string
  /** Unix seconds. */
  readonly at: number[]
  readonly prices: readonly string[]
  /** Since the start of the contest, 0.01 being one percent. */
  readonly change: number[]
}

/** The prices of a contest to be drawn: each as the change from what it was at the start. */
export function linesOf(prices: ContestView['prices']): readonly PriceLine[] {
  return Object.entries(prices).flatMap(([mint, { symbol, startPrice, points }]) => {
    if (points.length === 0 || startPrice === undefined) return []
    const base = Number(startPrice)
    return [
      {
        ...{ mint, symbol, at: points.map(({ at }) => at / 1000), prices: points.map(({ price }) => price) },
        change: points.map(({ price }) => Number(price) / base - 1),
      },
    ]
  })
}
