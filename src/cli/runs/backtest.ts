import { writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { styleText } from 'node:util'
import {
  backtest,
  contestRows,
  type Decided,
  formatBacktest,
  type LogData,
  pairedBots,
  readLogs,
  readRows,
  readSummary,
  reportHtml,
  summaryOf,
  usualTerms,
} from '../../backtest/index.ts'
import { CornermanError } from '../../core/error.ts'
import { systemClock } from '../../core/systemClock.ts'
import { botKey } from '../../optimize/ledger/botKey.ts'
import { bufferedFile } from '../../recording/index.ts'
import type { Assignment } from '../../strategy/assignment.ts'
import { statedTokens } from '../../strategy/tokenConfig.ts'
import { makeDataDir } from '../dataDir.ts'
import { loadConfig } from '../loadConfig.ts'
import { pickBots } from '../pickBots.ts'
import { progressOf, progressOfBytes } from '../progress.ts'
import type { RangeEnd } from '../rangeEnd.ts'
import { withSet } from '../setParameters.ts'
import { noteTrials } from './trials/noteTrials.ts'
import { openTrials } from './trials/openTrials.ts'
import { playRange } from './trials/playRange.ts'
import { tryStrategies } from './tryStrategies.ts'

export interface BacktestOptions {
  readonly log: readonly string[]
  readonly config: string
  readonly bot?: readonly string[]
  readonly strategy?: readonly string[]
  readonly set?: readonly Assignment[]
  readonly seed: number
  readonly from?: number
  readonly to?: RangeEnd
  readonly dataDir: string
  readonly report?: string
  readonly rows?: string
  readonly against?: string
  readonly decisions?: string
  readonly json?: boolean
}

/** Faint on a terminal; elsewhere the mark alone tells. */
const grey = (line: string): string => styleText('dim', line, { stream: process.stdout })

/** @throws CornermanError `USAGE`, or what a config, a strategy or a log is refused with */
export async function runBacktest(options: BacktestOptions): Promise<void> {
  expectDistinct({ '--report': options.report, '--decisions': options.decisions, '--rows': options.rows })
  const { log, seed, from, report, json } = options
  const config = pickBots(await loadConfig(options.config), options.bot)
  const rows = options.against === undefined ? undefined : readRows(options.against)
  const against = options.against === undefined || rows !== undefined ? undefined : readSummary(options.against)
  const [reading, playing] = [progressOfBytes(), progressOf('ticks')]
  let read: LogData | undefined
  // Once it is needed: a strategy file that is none is said before a log is read.
  const data = (): LogData => {
    read ??= readLogs(log, reading.update)
    reading.end()
    return read
  }
  const { bots } = withSet(await tryStrategies(config, options.strategy, (mode) => usualTerms(data(), mode)), options.set)
  makeWhereItCan(options.dataDir)
  const ledger = openTrials(options.dataDir)
  const keys = new Map(bots.map((bot) => [bot.name, botKey(bot)]))
  const range = await playRange({ data: data(), from, to: options.to, by: 'backtest', keys, ledger })
  const decisions = options.decisions === undefined ? undefined : bufferedFile(options.decisions, 'w')
  const result = await backtest({
    tokens: statedTokens(config.market.tokens),
    ...{ logs: data(), bots, seed, from, to: range.to, entriesUntil: range.entriesUntil, clock: systemClock },
    withPrices: report !== undefined,
    onProgress: playing.update,
    ...(decisions === undefined
      ? {}
      : { onDecision: (decided: Decided) => decisions.write(`${JSON.stringify({ ...decided, decisions: decided.decisions() })}\n`) }),
  }).finally(() => {
    playing.end()
    decisions?.close()
  })
  const summary = noteTrials({ run: result, summary: summaryOf(result), data: data(), seed, from, range, keys, ledger })
  if (options.rows !== undefined) writeFileSync(options.rows, contestRows(result))
  if (report !== undefined) writeFileSync(report, reportHtml(result, summary, against))
  const paired = rows === undefined ? undefined : pairedBots(result.bots, rows)
  const document = { ...summary, ...(against === undefined ? {} : { against }), ...(paired === undefined ? {} : { paired }) }
  process.stdout.write(
    json === true ? `${JSON.stringify(document)}\n` : `${formatBacktest(summary, against, grey)}${linesOf(paired, against !== undefined)}`,
  )
  if (report !== undefined && json !== true) process.stdout.write(`report: ${report}\n`)
}

/** What the comparison with an earlier run comes to, after the table. */
function linesOf(paired: ReturnType<typeof pairedBots> | undefined, isBesideSummary: boolean): string {
  const lines = paired?.map(({ sentence }) => sentence) ?? []
  if (isBesideSummary) lines.push('Two columns are no test: write both runs with --rows, and name that file with --against.')
  return lines.length === 0 ? '' : `\n${lines.join('\n')}\n`
}

/** A folder that cannot be made keeps nobody from playing: the ledger says what is wrong with it. */
function makeWhereItCan(dataDir: string): void {
  try {
    makeDataDir(dataDir)
  } catch {}
}

/** @throws CornermanError `USAGE` where two options would write one file */
function expectDistinct(files: Readonly<Record<string, string | undefined>>): void {
  const named = Object.entries(files).flatMap(([option, file]) => (file === undefined ? [] : [{ option, file: resolve(file) }]))
  for (const [place, { option, file }] of named.entries()) {
    const other = named.slice(0, place).find((before) => before.file === file)
    if (other !== undefined)
      throw new CornermanError('USAGE', `${other.option} and ${option} both name ${files[other.option]}: name two files`)
  }
}
