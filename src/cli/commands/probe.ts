import type { Command } from 'commander'
import { amountLike } from '../amount.ts'
import { durationMs } from '../duration.ts'
import { folderPath, presentFolderPath } from '../output.ts'
import type { ProbeOptions } from '../runs/probe/probe.ts'

const amount = amountLike('2, 0.10')

export function probeCommand(program: Command): void {
  program
    .command('probe')
    .description(
      'find out where a service keeps what its documentation leaves open: by free reads, and with --play by one staked contest a mode',
    )
    .option('--config <file>', 'the config', 'bots.config.ts')
    .option('--bot <name>', 'whose agent it reads and plays as (default: the first of the config)')
    .option('--data-dir <dir>', 'where the recording is kept, below probes/, and the journal of the bot', folderPath, '.cornerman')
    .option('--play', 'play one contest of each mode that cannot be read yet, with real stakes')
    .option('--most <usdc>', 'the most that --play may cost in all; needed with it', amount)
    .option('--modes <modes>', 'only these modes, with commas between them')
    .option('--stake <usdc>', 'the stake where no open contest of a mode was seen; a smaller one than was seen is taken too', amount)
    .option('--swap <usdc>', 'what one purchase in a contest of swaps is for (default 1)', amount)
    .option(
      '--duration <time>',
      'how long a contest that it queues for lasts, such as 60s (default: the shortest seen, else 30s)',
      durationMs,
    )
    .option('--yes', 'do not ask on a terminal before it plays')
    .option('--from <dir>', 'work the mapping out again from the folder of an earlier probe; nothing is read or sent', presentFolderPath)
    .option('--write', 'write the mapping to its file, and keep the one before as .prev')
    .option('--share <dir>', 'copy the recording there with ids, handles and wallets replaced, for others to look at', folderPath)
    .option('--json', 'print one JSON document')
    .addHelpText(
      'after',
      `
Ends with 0 where every mode asked for can be played by the mapping, with 1 otherwise, and with 2 where nothing was begun.

Examples:
  npm run cornerman -- probe
  npm run cornerman -- probe --play --most 2.00 --write
  npm run cornerman -- probe --play --most 0.50 --modes price_prediction --stake 0.10
  npm run cornerman -- probe --from .cornerman/probes/20261126T101500Z --write`,
    )
    .action(async (options: ProbeOptions) => {
      const { probe } = await import('../runs/probe/probe.ts')
      process.exitCode = await probe(options)
    })
}
