import type { Command } from 'commander'
import type { FleetOption } from '../runs/fleet/openFleet.ts'
import { FLEET } from './worker.ts'

export function workersCommand(program: Command): void {
  program
    .command('workers')
    .description('who works for a fleet')
    .requiredOption(FLEET.flags, FLEET.purpose)
    .option('--json', 'print one JSON document')
    .action(async (options: { readonly fleet: FleetOption; readonly json?: boolean }) => {
      const { listWorkers } = await import('../runs/fleet/workers.ts')
      await listWorkers(options)
    })
}
