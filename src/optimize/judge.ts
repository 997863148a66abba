import type { PairedEdge } from '../backtest/statistics/pairedEdge.ts'
import { type BlockJob, Player } from './blockJob.ts'
import type { Plan } from './plan.ts'
import type { Pool } from './pool.ts'
import type { BlockResult } from './runBlock.ts'
import type { Values } from './search/dimension.ts'
import { unbroken } from './sweep.ts'
import type { SweepStore } from './sweepStore.ts'
import { type RejectReason, type Verdict, verdictOf } from './verdict.ts'

/** What a look at the sealed contests has shown, or why there was none. */
export interface Judgement {
  readonly verdict: Verdict['verdict']
  readonly reason: RejectReason | null
  /** Sealed contests for a power of 80 %; null where there is nothing to be told. */
  readonly contestsNeeded: number | null
  /** Null where the seal was left alone. */
  readonly look: {
    readonly number: number
    readonly alpha: number
    readonly p: number | null
    readonly paired: PairedEdge | null
  } | null
}

/** The sealed contests, without a break. */
const sealedJob = ({ split: { sealedFrom, sealedUntil, tailMs }, seed }: Plan, values: Values): BlockJob => ({
  ...{ from: sealedFrom, until: sealedUntil - tailMs, tailMs, seed, values },
})

export interface JudgeOptions {
  readonly plan: Plan
  readonly candidate: Values
  /** From 1: the look that was taken. */
  readonly look: number
  readonly store: SweepStore
  /** Of workers who see all of the log. */
  readonly pool: Pool<BlockJob, BlockResult>
}

/**
 * Plays the sealed contests, which a look was taken at before, and judges.
 *
 * @throws CornermanError `STRATEGY_FAILED` where a side could not be played
 */
export async function judge({ plan, candidate, look, store, pool }: JudgeOptions): Promise<Judgement> {
  const player = new Player(store, pool)
  const [own, other] = await unbroken(player, plan, [sealedJob(plan, candidate), sealedJob(plan, {})])
  const found = verdictOf({ candidate: own?.contests ?? [], incumbent: other?.contests ?? [], look })
  return {
    verdict: found.verdict,
    reason: found.verdict === 'reject' ? found.reason : null,
    contestsNeeded: found.verdict === 'more' ? found.contestsNeeded : null,
    look: { number: look, alpha: found.alpha, p: found.p ?? null, paired: found.paired ?? null },
  }
}
