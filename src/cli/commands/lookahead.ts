import type { Command } from 'commander'
import { folderPath, logPaths } from '../output.ts'
import { rangeEnd, TO } from '../rangeEnd.ts'
import type { LookaheadOptions } from '../runs/lookahead.ts'
import { assignments, SET } from '../setParameters.ts'
import { wholeFrom } from '../whole.ts'

export function lookaheadCommand(program: Command): void {
  program
    .command('lookahead')
    .description('look whether decisions change when the log is cut off right after them')
    .requiredOption('--log <paths...>', 'recordings, or logs made by logs import', logPaths)
    .option('--config <file>', 'the config', 'bots.config.ts')
    .option(SET.flags, SET.purpose, assignments)
    .option(TO.flags, TO.purpose, rangeEnd)
    .option('--data-dir <dir>', 'where it is kept what is sealed, below trials/', folderPath, '.cornerman')
    .option('--samples <n>', 'decisions to try', wholeFrom(1), 8)
    .option('--json', 'print one JSON document')
    .addHelpText(
      'after',
      `
Plays a backtest, and plays it again up to each of some of its decisions: in a process and a folder of its own, where the
log's relative path leads to a copy that ends with that decision. A strategy that decides differently there has used the
future. One that reads files other than the log is not caught.

Example:
  npm run cornerman -- lookahead --log .cornerman/recordings/alice`,
    )
    .action(async (options: LookaheadOptions) => {
      const { lookahead } = await import('../runs/lookahead.ts')
      process.exitCode = await lookahead(options)
    })
}
