import { existsSync } from 'node:fs'
import type { Command } from 'commander'
import { CornermanError } from '../../core/error.ts'
import { isFolder } from '../../recording/index.ts'
import { EXIT } from '../exit.ts'
import { print } from '../output.ts'
import { formatStrategies } from '../strategyList/formatStrategies.ts'
import { strategyList } from '../strategyList/strategyList.ts'

export function strategiesCommand(program: Command): void {
  program
    .command('strategies')
    .description('what is in strategies/: kinds, modes, and parameters with their ranges and defaults')
    .option('--dir <folder>', 'where strategies are', 'strategies')
    .option('--json', 'print one JSON document')
    .addHelpText(
      'after',
      '\nA file that is not a strategy is named, the others are listed all the same, and the exit code is 1.\n\nExample:\n  npm run cornerman -- strategies',
    )
    .action(async ({ dir, json }: { readonly dir: string; readonly json?: boolean }) => {
      if (!existsSync(dir)) throw new CornermanError('USAGE', `--dir ${dir}: there is no such folder`)
      if (!isFolder(dir)) throw new CornermanError('USAGE', `--dir ${dir}: it is a file: name a folder`)
      const list = await strategyList(dir)
      print(json, list, formatStrategies(list))
      process.exitCode = list.broken.length > 0 ? EXIT.failed : EXIT.done
    })
}
