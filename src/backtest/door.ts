// The door for notebooks and scripts: they import this as `cornerman/backtest`. Behind the commands `backtest`, `replay` and `logs`
// are these functions.

import { systemClock } from '../core/systemClock.ts'
import { type ConfigInput, readConfig } from '../strategy/config.ts'
import { timeoutOf } from '../strategy/timeoutOf.ts'
import { statedTokens } from '../strategy/tokenConfig.ts'
import { type BacktestOptions as AllBacktestOptions, backtest as backtestBy } from './backtest.ts'
import { type ReplayOptions as AllReplayOptions, type Replay, replayLog as replayBy } from './replay/replayLog.ts'
import type { BacktestRun } from './result.ts'

/** What a config file exports by default: what `defineConfig` made. */
interface OfConfig {
  readonly config: ConfigInput
  /** Names of the bots that play. Default: all. */
  readonly bots?: readonly string[]
}

/** What a backtest is given: a config, logs, a seed. */
export type BacktestOptions = OfConfig &
  Omit<AllBacktestOptions, 'bots' | 'clock' | 'tokens' | 'withPrices'> & {
    /** Whether a report will draw the contests. Default: false. */
    readonly withPrices?: boolean
  }

/** What a replay is given: a config, and the log of one of its bots. */
export type ReplayOptions = Omit<OfConfig, 'bots'> & Pick<AllReplayOptions, 'log' | 'onProgress'>

/**
 * Plays the bots of a config on recorded logs, each alone.
 *
 * @throws LogError at the first thing that is wrong with a log
 * @throws CornermanError `CONFIG_INVALID`, `LOG_WITHOUT_PRICES`, `LOG_RANGE_EMPTY` or `LOG_LACKS_MINT`
 * @example
 * ```ts
 * import { backtest, formatBacktest, summaryOf } from 'cornerman/backtest'
 * import config from './bots.config.ts'
 *
 * const run = await backtest({ config, logs: ['.cornerman/recordings/alice'], seed: 1 })
 * console.log(formatBacktest(summaryOf(run)))
 * ```
 */
export function backtest({ config, bots: names, withPrices = false, ...options }: BacktestOptions): Promise<BacktestRun> {
  const { bots, market } = readConfig(config, 'config')
  const played = names === undefined ? bots : bots.filter(({ name }) => names.includes(name))
  return backtestBy({ ...options, bots: played, tokens: statedTokens(market.tokens), withPrices, clock: systemClock })
}

/**
 * Runs a recording through the same strategies again, and compares every decision with the recorded one.
 *
 * @throws LogError where the log cannot be read on
 * @throws CornermanError `CONFIG_INVALID`, `LOG_BOT_UNKNOWN` where the config has no such bot, `LOG_NOT_RECORDED` for a log that no bot wrote
 * @example
 * ```ts
 * import { replayLog } from 'cornerman/backtest'
 * import config from './bots.config.ts'
 *
 * const { decisions, matched } = await replayLog({ config, log: '.cornerman/recordings/alice' })
 * console.log(`${matched} of ${decisions} decisions came out as recorded`)
 * ```
 */
export function replayLog({ config, ...options }: ReplayOptions): Promise<Replay> {
  const { bots, service } = readConfig(config, 'config')
  const paths = service.kind === 'contestService' ? service.paths : {}
  return replayBy({ ...options, paths, timeoutMs: timeoutOf(service), bots, clock: systemClock })
}

export { checkLog, cutLog, importPrices, LogError, readLog, repairLog } from '../recording/index.ts'
export { contestRows, type Decided, formatBacktest, type LogData, readLogs, readSummary, reportHtml, summaryOf } from './index.ts'
export type { Divergence, Replay } from './replay/replayLog.ts'
export type * from './result.ts'
export type { BacktestSummary } from './summary/summary.ts'
