import type { Command } from 'commander'
import { folderPath } from '../output.ts'
import type { StopOptions } from '../runs/stop.ts'
import { FLEET } from './worker.ts'

export function stopCommand(program: Command): void {
  program
    .command('stop')
    .description('stop the bots of a data directory, or let them play on; holds over restarts, until the next such command')
    .option('--entries', 'no new entries')
    .option('--now', 'kill switch: no entries and no swaps; reveals of what was promised go on')
    .option('--resume', 'play on')
    .option(
      '--bot <names...>',
      'only these bots; a stop of all leaves those that were stopped singly as they are, --resume of all lets every bot play',
    )
    .option('--fleet [url]', `say it to all hosts of a fleet, and not to the bots of a data directory: ${FLEET.purpose}`)
    .option('--data-dir <dir>', 'the data directory of the bots', folderPath, '.cornerman')
    .option('--json', 'print one JSON document')
    .addHelpText(
      'after',
      '\nExample:\n  npm run cornerman -- stop --now\n  npm run cornerman -- stop --entries --bot alice\n  npm run cornerman -- stop --now --fleet env:FLEET_DATABASE_URL',
    )
    .action(async (options: StopOptions) => {
      const { stop } = await import('../runs/stop.ts')
      process.exitCode = await stop(options)
    })
}
