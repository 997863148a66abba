import { Argument, type Command } from 'commander'
import { folderPath } from '../output.ts'
import type { ModesOptions } from '../runs/modes.ts'
import { FLEET } from './worker.ts'

export function modesCommand(program: Command): void {
  program
    .command('modes')
    .description('list which modes are open and why others are not; open or close one, which holds over restarts')
    .addArgument(new Argument('[command]', 'without one they are listed').choices(['open', 'close']))
    .argument('[mode]', 'the mode to open or close, such as up_down')
    .option('--bot <names...>', 'only these bots; it stands behind the mode')
    .option('--fleet [url]', `say it to all hosts of a fleet, and not to the bots of a data directory: ${FLEET.purpose}`)
    .option('--data-dir <dir>', 'the data directory of the bots', folderPath, '.cornerman')
    .option('--json', 'print one JSON document')
    .addHelpText(
      'after',
      `
A mode is closed after contests that ended without a valid move, and tried again later with the smallest stake. What you close
stays closed until you open it. What you open is closed again by the next stake that is lost in it without a valid move.
A bot that runs hears of it at once, one that does not at its next start.

Examples:
  npm run cornerman -- modes
  npm run cornerman -- modes open same_token
  npm run cornerman -- modes close draft_basket --bot alice
  npm run cornerman -- modes close draft_basket --fleet`,
    )
    .action(async (command: 'open' | 'close' | undefined, mode: string | undefined, options: ModesOptions) => {
      const { modes } = await import('../runs/modes.ts')
      process.exitCode = await modes(command, mode, options)
    })
}
