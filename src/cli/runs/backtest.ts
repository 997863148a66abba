import { writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { backtest, type Decided, formatBacktest, readSummary, reportHtml, summaryOf } from '../../backtest/index.ts'
import { CornermanError } from '../../core/error.ts'
import { systemClock } from '../../core/systemClock.ts'
import { bufferedFile } from '../../recording/index.ts'
import { loadConfig } from '../loadConfig.ts'
import { pickBots } from '../pickBots.ts'
import { progressOf, progressOfBytes } from '../progress.ts'
import { tryStrategies } from './tryStrategies.ts'

export interface BacktestOptions {
  readonly log: readonly string[]
  readonly config: string
  readonly bot?: readonly string[]
  readonly strategy?: readonly string[]
  readonly seed: number
  readonly from?: number
  readonly to?: number
  readonly report?: string
  readonly against?: string
  readonly decisions?: string
  readonly json?: boolean
}

/** @throws CornermanError `USAGE`, or what a config, a strategy or a log is refused with */
export async function runBacktest(options: BacktestOptions): Promise<void> {
  if (options.report !== undefined && options.decisions !== undefined && resolve(options.report) === resolve(options.decisions))
    throw new CornermanError('USAGE', `--report and --decisions both name ${options.report}: name two files`)
  const { log, seed, from, to, report, json } = options
  const { bots } = await tryStrategies(pickBots(await loadConfig(options.config), options.bot), options.strategy)
  const against = options.against === undefined ? undefined : readSummary(options.against)
  const decisions = options.decisions === undefined ? undefined : bufferedFile(options.decisions, 'w')
  const [reading, playing] = [progressOfBytes(), progressOf('ticks')]
  const result = await backtest({
    ...{ logs: log, bots, seed, from, to, clock: systemClock },
    withPrices: report !== undefined,
    onReading: reading.update,
    onProgress(ticks, total) {
      reading.end()
      playing.update(ticks, total)
    },
    ...(decisions === undefined
      ? {}
      : { onDecision: (decided: Decided) => decisions.write(`${JSON.stringify({ ...decided, decisions: decided.decisions() })}\n`) }),
  }).finally(() => {
    reading.end()
    playing.end()
    decisions?.close()
  })
  const summary = summaryOf(result)
  if (report !== undefined) writeFileSync(report, reportHtml(result, summary, against))
  const document = against === undefined ? summary : { ...summary, against }
  process.stdout.write(json === true ? `${JSON.stringify(document)}\n` : formatBacktest(summary, against))
  if (report !== undefined && json !== true) process.stdout.write(`report: ${report}\n`)
}
