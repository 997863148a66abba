import type { Command } from 'commander'
import { folderPath, logPaths, newFilePath } from '../output.ts'
import { writesForOthers } from '../privacy.ts'
import { instant, rangeEnd, TO } from '../rangeEnd.ts'
import type { BacktestOptions } from '../runs/backtest.ts'
import { assignments, SET } from '../setParameters.ts'
import { wholeFrom } from '../whole.ts'

export function backtestCommand(program: Command): void {
  writesForOthers(program.command('backtest'))
    .description("play a config's bots on recorded logs")
    .requiredOption('--log <paths...>', 'recordings, or logs made by logs import', logPaths)
    .option('--config <file>', 'the config', 'bots.config.ts')
    .option('--bot <names...>', 'only these bots')
    .option(
      '--strategy <files...>',
      'ask about these strategies alone, with their default parameters: a plain policy enters their modes. One that chooses what to enter (queue or custom; one at most) replaces those of the first bot, whose other strategies then play',
    )
    .option(SET.flags, SET.purpose, assignments)
    .option('--seed <n>', 'decides how the reference opponents play', wholeFrom(0), 1)
    .option('--from <time>', 'leave out what came before (ISO 8601)', instant)
    .option(TO.flags, TO.purpose, rangeEnd)
    .option('--data-dir <dir>', 'where it is kept what was tried on which time, below trials/', folderPath, '.cornerman')
    .option('--report <file>', 'write a page with every contest and its charts', newFilePath)
    .option('--rows <file>', 'write a line of JSON for each contest', newFilePath)
    .option(
      '--against <file>',
      'test the difference to an earlier run, as --rows wrote it, contest by contest; or show it beside, as --json printed it',
    )
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
    .action(async (options: BacktestOptions) => {
      const { runBacktest } = await import('../runs/backtest.ts')
      await runBacktest(options)
    })
}
