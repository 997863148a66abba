import type { Command } from 'commander'
import { durationMs } from '../duration.ts'
import { folderPath } from '../output.ts'
import type { ActOptions, DrainOptions, MoveOptions } from '../runs/fleet/acts.ts'
import type { FleetDemoOptions } from '../runs/fleet/demo/demo.ts'
import type { InitOptions } from '../runs/fleet/init.ts'
import type { MendOptions } from '../runs/fleet/mend.ts'
import type { RekeyOptions } from '../runs/fleet/rekey.ts'
import type { StatusOptions } from '../runs/fleet/status.ts'
import { FLEET } from './worker.ts'

export function fleetCommand(program: Command): void {
  const fleet = placed(program.command('fleet').description('hosts that play the bots by turns: what they do, and what is wrong'))
    .option('--data-dir <dir>', 'of this host: how far its copies are is shown, too', folderPath)
    .action(async (options: StatusOptions) => {
      const { fleetStatus } = await import('../runs/fleet/status.ts')
      await fleetStatus(options)
    })
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
  placed(fleet.command('init').description('make the tables of a fleet, as the owner of its database, and say what that lacks'))
    .option('--role <name>', 'the role that hosts come with, where it is another: it is given its rights')
    .action(async (_options: InitOptions, command: Command) => {
      const { initFleet } = await import('../runs/fleet/init.ts')
      process.exitCode = await initFleet(given<InitOptions>(command))
    })
  placed(fleet.command('use').description('this version of Cornerman is what plays from now on')).action(
    async (_options: ActOptions, command: Command) => {
      const { useVersion } = await import('../runs/fleet/acts.ts')
      await useVersion(given<ActOptions>(command))
    },
  )
  placed(fleet.command('move <bot>').description('have a bot handed to another host, once nothing of it is in flight'))
    .requiredOption('--to <host>', 'the host')
    .action(async (bot: string, _options: MoveOptions, command: Command) => {
      const { moveBot } = await import('../runs/fleet/acts.ts')
      process.exitCode = await moveBot(bot, given<MoveOptions>(command))
    })
  placed(fleet.command('drain <host>').description('have a host give all its bots away, and claim none until it is started anew'))
    .option('--for <duration>', 'how long it is waited for', durationMs, 120_000)
    .action(async (host: string, _options: DrainOptions, command: Command) => {
      const { drainHost } = await import('../runs/fleet/acts.ts')
      process.exitCode = await drainHost(host, given<DrainOptions>(command))
    })
  placed(
    fleet.command('adopt <bot> <data-dir>').description('make the journal that a bot has on this host alone its journal in the fleet'),
  ).action(async (bot: string, dataDir: string, _options: ActOptions, command: Command) => {
    const { adopt } = await import('../runs/fleet/adopt.ts')
    await adopt(bot, dataDir, given<ActOptions>(command))
  })
  placed(fleet.command('mend <bot>').description('put back what the database has lost of a journal, by the copy of this host'))
    .option('--data-dir <dir>', 'of this host', folderPath, '.cornerman')
    .option('--host-name <name>', "of this host in the fleet; default: the machine's")
    .option('--from-here', 'take the copy of this host, whatever others have')
    .action(async (bot: string, _options: MendOptions, command: Command) => {
      const { mend } = await import('../runs/fleet/mend.ts')
      await mend(bot, given<MendOptions>(command))
    })
  placed(
    fleet.command('accept-database').description("the database that is there now is the fleet's, though it was made on another"),
  ).action(async (_options: ActOptions, command: Command) => {
    const { acceptDatabase } = await import('../runs/fleet/acts.ts')
    await acceptDatabase(given<ActOptions>(command))
  })
  placed(fleet.command('sign').description('sign the orders of a fleet once, after all its hosts were upgraded to signed orders')).action(
    async (_options: ActOptions, command: Command) => {
      const { signOrders } = await import('../runs/fleet/sign.ts')
      await signOrders(given<ActOptions>(command))
    },
  )
  placed(fleet.command('rekey').description('see to it that nothing is sealed with the key before any more'))
    .option('--for <duration>', 'how long it is waited for bots that are played', durationMs, 60_000)
    .action(async (_options: RekeyOptions, command: Command) => {
      const { rekey } = await import('../runs/fleet/rekey.ts')
      process.exitCode = await rekey(given<RekeyOptions>(command))
    })
}

/** The options of a command, and those that stand before its name. */
function given<T extends object>(command: Command): T {
  const own: Record<string, unknown> = command.opts()
  const above: Record<string, unknown> = command.parent?.opts() ?? {}
  const isGiven = (one: Command | null, name: string) => ![undefined, 'default'].includes(one?.getOptionValueSource(name))
  const before = Object.entries(above).filter(([name]) => isGiven(command.parent, name) && !isGiven(command, name))
  return { ...own, ...Object.fromEntries(before) } as T
}

/** Where the fleet is. */
function placed(command: Command): Command {
  return command
    .option(FLEET.flags, FLEET.purpose)
    .option('--config <file>', 'a config that may have fleet in it', 'bots.config.ts')
    .option('--json', 'print one JSON document')
}
