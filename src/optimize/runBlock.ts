import { backtest, type LogData, type PlayedContest } from '../backtest/index.ts'
import type { PairedContest } from '../backtest/statistics/pairedEdge.ts'
import type { Clock } from '../core/clock.ts'
import type { TokenFacts } from '../core/tokenFacts.ts'
import type { BotConfig } from '../strategy/config.ts'
import { expectBefore } from './sealed.ts'

/** A range of time to be played by a bot of its own: what is entered in [from, until) is played to its end. Unix milliseconds. */
export interface Block {
  readonly from: number
  readonly until: number
  /** The longest that something entered just before `until` can last. */
  readonly tailMs: number
  /** Keys the reference opponents and ids: two blocks have two, or their contests would be called the same. */
  readonly seed: number
}

/** A contest of a trial: what the paired test needs, and what a page slices it by. */
export type TrialContest = PairedContest & Pick<PlayedContest, 'mode' | 'durationSec' | 'endedAt'>

/** What a bot made in a block. */
export interface BlockResult {
  /** SHA-256 of its decisions. */
  readonly fingerprint: string
  readonly contests: readonly TrialContest[]
  /** Codes of a backtest's warnings. */
  readonly warnings: readonly string[]
}

export interface BlockOptions {
  readonly data: LogData
  /** With the parameters of the trial. */
  readonly bot: BotConfig
  readonly tokens: readonly TokenFacts[]
  /** Unix milliseconds from which the log is sealed; undefined where it is open. */
  readonly sealedFrom: number | undefined
  /** Real time, for strategies that answer late. */
  readonly clock: Clock
}

/**
 * Plays one bot in one block: the same block and the same bot give the same result, in whatever thread or process. It has no
 * disk, and no chance but the block's seed.
 *
 * @throws CornermanError `LOG_SEALED` where the block would reach into sealed contests; `LOG_RANGE_EMPTY` where the log has no price in it
 */
export async function runBlock(
  { data, bot, tokens, sealedFrom, clock }: BlockOptions,
  { from, until, tailMs, seed }: Block,
): Promise<BlockResult> {
  if (sealedFrom !== undefined) expectBefore(sealedFrom, until, tailMs)
  const run = await backtest({
    ...{ logs: data, bots: [bot], tokens, seed, from, to: until + tailMs, entriesUntil: until, withPrices: false, clock },
  })
  const [{ contests, warnings } = { contests: [], warnings: [] }] = run.bots
  return {
    fingerprint: run.fingerprint,
    contests: contests.map(({ contestId, mode, durationSec, enteredAt, startsAt, endedAt, stake, profit, swapProfit, result }) => ({
      ...{ contestId, mode, durationSec, enteredAt, startsAt, endedAt, stake, profit, swapProfit, result },
    })),
    warnings: warnings.map(({ code }) => code),
  }
}
