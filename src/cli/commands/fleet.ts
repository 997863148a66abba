import type { Command } from 'commander'

export function fleetCommand(program: Command): void {
  const fleet = program.command('fleet').description('what the hosts of a fleet share')
  fleet
    .command('key')
    .description('print a new key: the same one belongs on every host of a fleet, as CORNERMAN_FLEET_KEY')
    .action(async () => {
      const { newFleetKey } = await import('../../fleet/fleetKey.ts')
      process.stdout.write(`${newFleetKey()}\n`)
    })
}
