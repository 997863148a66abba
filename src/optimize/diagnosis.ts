import { chunkOf, type PairedContest, type PairedEdge } from '../backtest/statistics/pairedEdge.ts'
import type { TrialContest } from './runBlock.ts'
import type { Difference, TrialResult } from './search/search.ts'
import type { Point } from './search/space.ts'

/** What one slice of the contests made a unit staked, on either side; null without a stake. */
export interface Slice {
  readonly contests: number
  readonly edge: number | null
  readonly against: number
  readonly edgeAgainst: number | null
}

/** A fifth of the train contests, by time. */
export interface Fold extends Slice {
  /** Unix milliseconds. */
  readonly from: number
  readonly until: number
}

const FOLDS = 5

/** Both sides by time: what holds in one fifth alone is luck, or over. */
export function foldsOf(own: readonly TrialContest[], other: readonly TrialContest[], from: number, until: number): Fold[] {
  const lengthMs = (until - from) / FOLDS
  return Array.from({ length: FOLDS }, (_, index) => {
    const [first, end] = [from + index * lengthMs, from + (index + 1) * lengthMs]
    const isIn = ({ enteredAt }: TrialContest) => enteredAt >= first && enteredAt < end
    return { from: first, until: end, ...sliceOf(own.filter(isIn), other.filter(isIn)) }
  })
}

/** Both sides by mode. */
export function byMode(own: readonly TrialContest[], other: readonly TrialContest[]): Record<string, Slice> {
  const modes = [...new Set([...own, ...other].map(({ mode }) => mode))].sort()
  const of = (contests: readonly TrialContest[], wanted: string) => contests.filter(({ mode }) => mode === wanted)
  return Object.fromEntries(modes.map((mode) => [mode, sliceOf(of(own, mode), of(other, mode))]))
}

function sliceOf(own: readonly TrialContest[], other: readonly TrialContest[]): Slice {
  return { contests: own.length, edge: edgeOf(own), against: other.length, edgeAgainst: edgeOf(other) }
}

/** Profit a unit staked, of contests that were decided. */
export function edgeOf(contests: readonly PairedContest[]): number | null {
  const { profit, stake } = chunkOf(contests)
  return stake === 0 ? null : profit / stake
}

/** How trials near a point did: a peak that stands alone is more likely luck. */
export interface Neighbours {
  readonly trials: number
  /** The mean of their paired edges in the first rung. */
  readonly mean: number
}

/** Within this much of each range. */
const NEAR = 0.1

export function neighboursOf(
  winner: Point,
  trials: readonly { readonly point: Point; readonly paired: Difference | undefined }[],
): Neighbours | null {
  const near = trials.filter(({ point }) => point.every((coordinate, index) => Math.abs((coordinate ?? 0) - (winner[index] ?? 0)) <= NEAR))
  const means = near.flatMap(({ paired }) => (paired === undefined ? [] : [paired.mean]))
  if (means.length === 0) return null
  return { trials: means.length, mean: means.reduce((sum, each) => sum + each, 0) / means.length }
}

/** Bins of a parameter's range. */
const BINS = 5

/**
 * How much of the differences between trials each parameter tells: the share of the variance of their paired edges, in the first rung, that lies
 * between bins of that parameter alone. Shares need not add up to 1.
 */
export function importanceOf(dimensions: number, trials: readonly { readonly point: Point; readonly value: number }[]): number[] {
  const all = trials.map(({ value }) => value)
  const mean = all.reduce((sum, each) => sum + each, 0) / (all.length || 1)
  const variance = all.reduce((sum, each) => sum + (each - mean) ** 2, 0)
  return Array.from({ length: dimensions }, (_, dimension) => {
    if (variance === 0) return 0
    const bins = Map.groupBy(trials, ({ point }) => Math.min(BINS - 1, Math.floor((point[dimension] ?? 0) * BINS)))
    let between = 0
    for (const bin of bins.values()) {
      const own = bin.reduce((sum, { value }) => sum + value, 0) / bin.length
      between += bin.length * (own - mean) ** 2
    }
    // What as many bins would tell of noise.
    const byChance = (bins.size - 1) / Math.max(1, all.length - 1)
    return Math.max(0, between / variance - byChance)
  })
}

/** How a finalist did where it was played without a break. */
export interface Finalist {
  readonly trial: TrialResult
  readonly contests: readonly TrialContest[]
  readonly paired: PairedEdge | undefined
}

/** The best paired edge; of those less than one standard error below it the one with the smallest drawdown. */
export function bestOf(finalists: readonly Finalist[]): Finalist | undefined {
  const difference = ({ paired }: Finalist) => paired?.difference ?? Number.NEGATIVE_INFINITY
  const [best] = finalists.toSorted((a, b) => difference(b) - difference(a))
  if (best?.paired === undefined) return undefined
  const least = best.paired.difference - (best.paired.high - best.paired.low) / 4
  const close = finalists.filter((finalist) => difference(finalist) > least)
  return close.toSorted((a, b) => Number(a.trial.drawdown - b.trial.drawdown))[0]
}
