import { type Chunk, type ChunkedDifference, chunkedDifference, chunkOf, type PairedContest } from '../../backtest/statistics/pairedEdge.ts'
import type { Values } from './dimension.ts'
import type { Point } from './space.ts'

/** What came of one block: `fingerprint` is that of the decisions. */
export interface BlockOutcome {
  readonly fingerprint: string
  readonly contests: readonly PairedContest[]
}

/** A block to be played with these values. */
export interface TrialJob {
  readonly trial: number
  readonly values: Values
  /** By its number in time. */
  readonly block: number
}

/**
 * Plays all jobs of a barrier.
 *
 * @returns the outcomes in the order of the jobs; undefined for one that has failed for good, and with it its trial
 */
export type PlayBlocks = (jobs: readonly TrialJob[]) => Promise<readonly (BlockOutcome | undefined)[]>

export type TrialState = 'playing' | 'finished' | 'fell' | 'failed' | 'twin'

/** A place in the space, and what it has come to so far. */
export interface Trial {
  /** From 0, which is the incumbent. */
  readonly index: number
  readonly generation: number
  readonly values: Values
  readonly point: Point
  state: TrialState
  /** The trial that it is the same as. */
  twinOf: number | undefined
  /** Rungs that it has played. */
  rung: number
  /** In the order in which blocks are played. */
  readonly outcomes: BlockOutcome[]
  readonly chunks: Chunk[]
}

export function newTrial(parts: Pick<Trial, 'index' | 'generation' | 'values' | 'point'>): Trial {
  return { ...parts, state: 'playing', twinOf: undefined, rung: 0, outcomes: [], chunks: [] }
}

export function addOutcome(trial: Trial, outcome: BlockOutcome): void {
  trial.outcomes.push(outcome)
  trial.chunks.push(chunkOf(outcome.contests))
}

/** Compares two trials on the first so many blocks that both have played; undefined where nothing can be said. */
export function compared(own: Trial, other: Trial, blocks = Infinity): ChunkedDifference | undefined {
  const common = Math.min(own.chunks.length, other.chunks.length, blocks)
  return chunkedDifference(own.chunks.slice(0, common), other.chunks.slice(0, common))
}

/** Contests that weigh as much as the guess that a trial is no better than the incumbent. */
const GUESS = 128

/**
 * How good a trial looks: its edge over the incumbent's on the same blocks, drawn towards 0 where it has few contests, so that a few lucky ones are
 * not the best there is.
 *
 * @returns −∞ for a trial that staked nothing: who never enters is no better
 */
export function scoreOf(trial: Trial, incumbent: Trial, blocks = Infinity): number {
  const common = Math.min(trial.chunks.length, incumbent.chunks.length, blocks)
  const [own, other] = [edgeOf(trial, common), edgeOf(incumbent, common)]
  if (own === undefined) return Number.NEGATIVE_INFINITY
  const contests = trial.outcomes.slice(0, common).reduce((sum, outcome) => sum + outcome.contests.length, 0)
  return ((own - (other ?? 0)) * contests) / (contests + GUESS)
}

/** Profit a unit staked in the first so many blocks; undefined without a stake. */
export function edgeOf(trial: Trial, blocks = Infinity): number | undefined {
  let [profit, stake] = [0, 0]
  for (const chunk of trial.chunks.slice(0, blocks)) {
    profit += chunk.profit
    stake += chunk.stake
  }
  return stake === 0 ? undefined : profit / stake
}
