// The door for notebooks and scripts: they import this as `cornerman/backtest`. Behind the commands `backtest`, `replay` and `logs`
// are these functions.

import { systemClock } from '../core/systemClock.ts'
import { type BacktestOptions as AllBacktestOptions, backtest as backtestBy } from './backtest.ts'
import { type ReplayOptions as AllReplayOptions, type Replay, replayLog as replayBy } from './replay/replayLog.ts'
import type { BacktestRun } from './result.ts'

/** What a backtest is given: logs, bots of a config, a seed. */
export type BacktestOptions = Omit<AllBacktestOptions, 'clock' | 'withPrices'> & {
  /** Whether a report will draw the contests. Default: false. */
  readonly withPrices?: boolean
}

/** What a replay is given: a log, and the bots of its config. */
export type ReplayOptions = Omit<AllReplayOptions, 'clock'>

/**
 * Plays the bots of a config on recorded logs, each alone.
 *
 * @throws LogError at the first thing that is wrong with a log
 * @throws CornermanError `LOG_WITHOUT_PRICES`, `LOG_RANGE_EMPTY` or `LOG_LACKS_MINT`
 * @example
 * ```ts
 * import { backtest, formatBacktest, summaryOf } from 'cornerman/backtest'
 * import config from './bots.config.ts'
 *
 * const run = await backtest({ logs: ['.cornerman/recordings/alice'], bots: config.bots, seed: 1 })
 * console.log(formatBacktest(summaryOf(run)))
 * ```
 */
export const backtest = ({ withPrices = false, ...options }: BacktestOptions): Promise<BacktestRun> =>
  backtestBy({ ...options, withPrices, clock: systemClock })

/**
 * Runs a recording through the same strategies again, and compares every decision with the recorded one.
 *
 * @throws LogError where the log cannot be read on
 * @throws CornermanError `LOG_BOT_UNKNOWN` where the config has no such bot, `LOG_NOT_RECORDED` for a log that no bot wrote
 * @example
 * ```ts
 * import { replayLog } from 'cornerman/backtest'
 * import config from './bots.config.ts'
 *
 * const { decisions, matched } = await replayLog({ log: '.cornerman/recordings/alice', bots: config.bots, paths: {}, timeoutMs: 5000 })
 * console.log(`${matched} of ${decisions} decisions came out as recorded`)
 * ```
 */
export const replayLog = (options: ReplayOptions): Promise<Replay> => replayBy({ ...options, clock: systemClock })

export { checkLog, cutLog, importPrices, LogError, readLog, repairLog } from '../recording/index.ts'
export { type Decided, formatBacktest, type LogData, readLogs, readSummary, reportHtml, summaryOf } from './index.ts'
export type { Divergence, Replay } from './replay/replayLog.ts'
export type * from './result.ts'
export type { BacktestSummary } from './summary/summary.ts'
