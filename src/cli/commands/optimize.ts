import { type Command, InvalidArgumentError, Option } from 'commander'
import { folderPath, logPaths, newFilePath } from '../output.ts'
import type { OptimizeOptions, PromoteOptions, ShowOptions } from '../runs/optimize/options.ts'
import { assignments, SET } from '../setParameters.ts'
import { wholeFrom } from '../whole.ts'
import { FLEET } from './worker.ts'

const DATA_DIR = ['--data-dir <dir>', 'where searches and the ledger of trials are kept', folderPath, '.cornerman'] as const
const JSON_FLAG = ['--json', 'print one JSON document'] as const
const WORKERS = ['--workers <n>', 'threads that play (default: a core is left for the rest of the machine)', wholeFrom(1)] as const

export function optimizeCommand(program: Command): void {
  const optimize = program
    .command('optimize')
    // Its subcommands have options of the same names.
    .enablePositionalOptions()
    .description('search for better parameters, and seal contests to judge them by')
    .option('--log <paths...>', 'recordings, or logs made by logs import', logPaths)
    .option('--strategy <files...>', 'vary the parameters of these strategies: a plain policy enters their modes, as in backtest')
    .option('--config <file>', 'the config', 'bots.config.ts')
    .option('--bot <name>', 'the bot whose parameters are varied (default: the first)')
    .option(
      '--vary <name.parameter=values>',
      'vary a parameter: 5..600, 5..600:log, or a list such as 5,10,20; as often as there are',
      listed,
    )
    .option(SET.flags, SET.purpose, assignments)
    .addOption(new Option('--search <how>', 'how points are chosen').choices(['tpe', 'random']).default('tpe'))
    .option('--budget <n>', 'how many times the contests to search on may be played', wholeFrom(2), 30)
    .option('--hold-out <share>', 'how much of the time is sealed, where nothing of it is yet', share, 0.4)
    .option('--seed <n>', 'decides what is drawn, and how the reference opponents play', wholeFrom(0), 1)
    .option(...WORKERS)
    .option(FLEET.flags, `play on the workers of a fleet, and not in threads of this process. ${FLEET.purpose}`)
    .option('--resume <id>', 'go on with a search that was stopped')
    .option(...DATA_DIR)
    .option('--report <file>', 'write a page with all of it', newFilePath)
    .option(...JSON_FLAG)
    .addHelpText(
      'after',
      `
The time of the log is cut: parameters are searched on the first part, and the contests of the last are sealed. What is found is
told against the bot as it is, the incumbent, on the same contests. Nothing is judged here: "optimize promote" opens the seal, once.

Examples:
  npm run cornerman -- optimize --log .cornerman/recordings/alice --strategy strategies/momentum.ts --report search.html
  npm run cornerman -- optimize promote --report verdict.html`,
    )
    .action(async (options: OptimizeOptions) => {
      const { runOptimize } = await import('../runs/optimize/optimize.ts')
      await runOptimize(options)
    })
  optimize
    .command('list')
    .description('the searches there are')
    .option(...DATA_DIR)
    .option(...JSON_FLAG)
    .action(async (options: Pick<ShowOptions, 'dataDir' | 'json'>) => {
      const { listSearches } = await import('../runs/optimize/show.ts')
      listSearches(options)
    })
  optimize
    .command('show')
    .description('what a search has come to')
    .argument('[id]', 'as optimize list shows it (default: the newest)')
    .option(...DATA_DIR)
    .option('--report <file>', 'write a page with all of it', newFilePath)
    .option(...JSON_FLAG)
    .action(async (id: string | undefined, options: ShowOptions) => {
      const { showSearch } = await import('../runs/optimize/show.ts')
      showSearch(id, options)
    })
  optimize
    .command('promote')
    .description('look at the sealed contests: exit code 0 where the candidate takes the place of the incumbent, 1 otherwise')
    .argument('[id]', 'as optimize list shows it (default: the newest)')
    .option('--look', 'look even where the sealed contests are too few to tell')
    .option(...WORKERS)
    .option(...DATA_DIR)
    .option('--report <file>', 'write a page with all of it', newFilePath)
    .option(...JSON_FLAG)
    .action(async (id: string | undefined, options: PromoteOptions) => {
      const { promote } = await import('../runs/optimize/promote.ts')
      process.exitCode = await promote(id, options)
    })
}

const listed = (text: string, before: readonly string[] = []): readonly string[] => [...before, text]

/** `40%` or `0.4`. */
function share(text: string): number {
  const value = text.endsWith('%') ? Number(text.slice(0, -1)) / 100 : Number(text)
  if (!(value >= 0.1 && value <= 0.8)) throw new InvalidArgumentError('a share from 10% to 80%, such as 40%')
  return value
}
