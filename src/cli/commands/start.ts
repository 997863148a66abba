import { type Command, Option } from 'commander'
import { DEFAULT_PORT, TOKEN_VARIABLE } from '../../dashboard/settings.ts'
import { durationMs } from '../duration.ts'
import { folderPath } from '../output.ts'
import type { StartOptions } from '../runs/start/start.ts'
import { portNumber, wholeFrom } from '../whole.ts'

export function startCommand(program: Command): void {
  program
    .command('start')
    .description('run the bots of a config')
    .option('--config <file>', 'the config', 'bots.config.ts')
    .option('--bot <names...>', 'only these bots')
    .option('--for <duration>', 'play for so long (90s, 5m, 2h), then drain for at most 2 minutes', durationMs)
    .addOption(new Option('--contests <n>', 'drain after this many settled contests').argParser(wholeFrom(1)))
    .option('--data-dir <dir>', 'where journals and the sandbox are kept', folderPath, '.cornerman')
    .option('--dry-run', 'keep every POST back, and report what would have been sent')
    .option('--no-dashboard', 'serve neither the page nor metrics and health')
    .addOption(new Option('--port <n>', 'port of the dashboard; 0 takes any free one').argParser(portNumber).default(DEFAULT_PORT))
    .option(
      '--host <address>',
      `address that the dashboard listens on; any but loopback needs a token of your own in ${TOKEN_VARIABLE}`,
      '127.0.0.1',
    )
    .option(
      '--fleet [database]',
      'as one host of several: a URL, or the environment variable that has it, such as env:FLEET_DATABASE_URL, which is the default',
    )
    .option('--host-name <name>', "of this host in a fleet; default: the machine's")
    .option('--json', 'print one JSON document at the end')
    .addHelpText(
      'after',
      `
Ctrl-C drains: no new entries, tickets are cancelled, live contests and reveals finished.
A second Ctrl-C stops at once; the next run takes up what is open.
npm itself answers any Ctrl-C with exit code 130.
Contests and profit are of all that the service tells of the agents; actions, reveals and trades of all since the
data directory was made.

Example:
  npm start -- --for 75s --json`,
    )
    .action(async (options: StartOptions) => {
      const { start } = await import('../runs/start/start.ts')
      process.exitCode = await start(options)
    })
}
