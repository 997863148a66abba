import type { Command } from 'commander'
import { folderPath, logPath } from '../../output.ts'
import type { GatherOptions } from '../../runs/logs/gather.ts'

export function addGather(logs: Command): void {
  logs
    .command('gather')
    .description('put the recordings together that the hosts of a fleet have made of one bot by turns')
    .argument('<parts...>', "data directories of the hosts, or their recordings' folders of the bot")
    .requiredOption('--bot <name>', 'whose recording')
    .requiredOption('--out <dir>', 'the folder of the whole, empty or not there yet', folderPath)
    .option('--json', 'print one JSON document')
    .addHelpText('after', '\nExample:\n  npm run cornerman -- logs gather h1-data h2-data --bot alice --out alice-gathered')
    .action(async (parts: string[], options: GatherOptions) => {
      const { gather } = await import('../../runs/logs/gather.ts')
      process.exitCode = gather(parts.map(logPath), options)
    })
}
