import type { Command } from 'commander'
import { durationMs } from '../duration.ts'
import { folderPath } from '../output.ts'
import type { FleetDemoOptions } from '../runs/fleet/demo/demo.ts'

export function fleetCommand(program: Command): void {
  const fleet = program.command('fleet').description('what the hosts of a fleet share')
  fleet
    .command('key')
    .description('print a new key: the same one belongs on every host of a fleet, as CORNERMAN_FLEET_KEY')
    .action(async () => {
      const { newFleetKey } = await import('../../fleet/fleetKey.ts')
      process.stdout.write(`${newFleetKey()}\n`)
    })
  fleet
    .command('demo')
    .description('three hosts on this machine against one sandbox: one after another is killed, and what came of it is counted')
    .option('--config <file>', 'whose bots play', 'bots.config.ts')
    .option('--for <duration>', 'how long hosts are killed', durationMs, 60_000)
    .option('--database <url>', 'an empty database, instead of one that is started for it')
    .option('--data-dir <dir>', 'everything of it is kept below this directory', folderPath, '.cornerman')
    .option('--json', 'print one JSON document at the end')
    .addHelpText('after', '\nExample:\n  npm run cornerman -- fleet demo')
    .action(async (options: FleetDemoOptions) => {
      const { fleetDemo } = await import('../runs/fleet/demo/demo.ts')
      process.exitCode = await fleetDemo(options)
    })
}
