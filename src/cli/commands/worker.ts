import type { Command } from 'commander'
import { folderPath } from '../output.ts'
import type { WorkerOptions } from '../runs/fleet/worker.ts'
import { portNumber, wholeFrom } from '../whole.ts'

export const FLEET = {
  flags: '--fleet [url]',
  purpose: 'the PostgreSQL database of a fleet: its URL, or env:NAME (default: env:FLEET_DATABASE_URL)',
} as const

export function workerCommand(program: Command): void {
  program
    .command('worker')
    .description("play blocks of other hosts' searches, until it is stopped")
    .requiredOption(FLEET.flags, FLEET.purpose)
    .option('--threads <n>', 'blocks that are played at once (default: a core is left for the rest of the machine)', wholeFrom(1))
    .option('--data-dir <dir>', 'where logs and bots of searches are kept, once a host', folderPath, '.cornerman')
    .option('--port <n>', 'serve /healthz and /metrics on this port, to this machine alone; 0: any free one', portNumber)
    .option('--name <name>', "what it is called (default: the machine's name)")
    .addHelpText(
      'after',
      `
Every host of a fleet has the same version of Cornerman, the packages pg and pg-boss, and the same CORNERMAN_FLEET_KEY. Any number of
workers may come and go while a search runs; docs/guide/many-hosts.md begins with nothing.

Examples:
  npm run cornerman -- worker --fleet
  npm run cornerman -- worker --fleet env:OTHER_DATABASE_URL --threads 4 --port 9100`,
    )
    .action(async (options: WorkerOptions) => {
      const { runWorker } = await import('../runs/fleet/worker.ts')
      process.exitCode = await runWorker(options)
    })
}
