import { writeFileSync } from 'node:fs'
import { type Command, InvalidArgumentError } from 'commander'
import { z } from 'zod'
import type { Decided } from '../../backtest/index.ts'
import { systemClock } from '../../core/systemClock.ts'
import { bufferedFile } from '../../recording/index.ts'
import { loadConfig } from '../loadConfig.ts'
import { logPaths, newFilePath } from '../output.ts'
import { pickBots } from '../pickBots.ts'
import { progressOf } from '../progress.ts'
import { tryStrategies } from '../tryStrategies.ts'
import { wholeFrom } from '../whole.ts'

interface BacktestCommandOptions {
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

export function backtestCommand(program: Command): void {
  program
    .command('backtest')
    .description("play a config's bots on recorded logs")
    .requiredOption('--log <paths...>', 'recordings, or logs made by logs import', logPaths)
    .option('--config <file>', 'the config', 'bots.config.ts')
    .option('--bot <names...>', 'only these bots')
    .option(
      '--strategy <files...>',
      'try these strategies, with their default parameters, in the first bot, and play that bot alone: they are asked before its own. One that chooses what to enter (queue or custom; one at most) replaces those of the bot',
    )
    .option('--seed <n>', 'decides how the reference opponents play', wholeFrom(0), 1)
    .option('--from <time>', 'leave out what came before (ISO 8601)', instant)
    .option('--to <time>', 'leave out what came after (ISO 8601)', instant)
    .option('--report <file>', 'write a page with every contest and its charts', newFilePath)
    .option('--against <file>', 'show the difference to an earlier run, as --json printed it')
    .option('--decisions <file>', 'write every decision: a line of JSON for each input that led to one', newFilePath)
    .option('--json', 'print one JSON document')
    .addHelpText(
      'after',
      `
Each bot is played alone. Contests in the log happen again, with the scores that their opponents had. An entry for which
the log has no contest meets a seeded opponent. The result says how many there were of each.

Example:
  npm run cornerman -- backtest --log .cornerman/recordings/alice --bot alice --report report.html`,
    )
    .action(run)
}

async function run(options: BacktestCommandOptions): Promise<void> {
  const { log, seed, from, to, report, json } = options
  // Loaded by who asks for it: the bots start sooner without.
  const { backtest, formatBacktest, readSummary, reportHtml, summaryOf } = await import('../../backtest/index.ts')
  const { bots } = await tryStrategies(pickBots(await loadConfig(options.config), options.bot), options.strategy)
  const against = options.against === undefined ? undefined : readSummary(options.against)
  const decisions = options.decisions === undefined ? undefined : bufferedFile(options.decisions, 'w')
  const progress = progressOf('ticks')
  const result = await backtest({
    ...{ logs: log, bots, seed, from, to, clock: systemClock },
    withPrices: report !== undefined,
    onProgress: progress.update,
    ...(decisions === undefined
      ? {}
      : { onDecision: (decided: Decided) => decisions.write(`${JSON.stringify({ ...decided, decisions: decided.decisions() })}\n`) }),
  }).finally(() => {
    progress.end()
    decisions?.close()
  })
  const summary = summaryOf(result)
  if (report !== undefined) writeFileSync(report, reportHtml(result, summary, against))
  const document = against === undefined ? summary : { ...summary, against }
  process.stdout.write(json === true ? `${JSON.stringify(document)}\n` : formatBacktest(summary, against))
  if (report !== undefined && json !== true) process.stdout.write(`report: ${report}\n`)
}

const ISO_DATE = z.iso.date()
const ZONE = /(?:Z|[+-]\d\d:?\d\d)$/i

/** A time of day without a zone is UTC, as all that is printed. */
function instant(text: string): number {
  // `Date.parse` knows no other sign before the time of day: with one it would take the machine's zone.
  const [date, time] = [text.slice(0, 10), text.slice(10).replace(/^[t ]/, 'T')]
  // A 30th of February is a date to it.
  const at = ISO_DATE.safeParse(date).success ? Date.parse(`${date}${time}${time === '' || ZONE.test(time) ? '' : 'Z'}`) : Number.NaN
  if (Number.isNaN(at)) throw new InvalidArgumentError('a time as in ISO 8601, such as 2025-07-21T12:00:00Z')
  return at
}
