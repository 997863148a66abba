import type { Command } from 'commander'
import { presentFolderPath } from '../../output.ts'
import type { ListOptions } from '../../runs/logs/list.ts'

export function addList(logs: Command): void {
  logs
    .command('list')
    .description('the recordings of a data directory')
    .option('--data-dir <dir>', 'the data directory of the bots', presentFolderPath, '.cornerman')
    .option('--json', 'print one JSON document')
    .addHelpText('after', '\nExample:\n  npm run cornerman -- logs list')
    .action(async (options: ListOptions) => {
      const { list } = await import('../../runs/logs/list.ts')
      list(options)
    })
}
