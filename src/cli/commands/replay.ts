import type { Command } from 'commander'
import { logPath } from '../output.ts'
import type { ReplayOptions } from '../runs/replay.ts'

export function replayCommand(program: Command): void {
  program
    .command('replay')
    .description('run a recording through the same strategies again, and compare every decision')
    .argument('<log>', "a bot's recording", logPath)
    .option('--verify', 'exit 1 if any decision came out otherwise')
    .option('--config <file>', 'the config it was recorded with', 'bots.config.ts')
    .option('--json', 'print one JSON document')
    .addHelpText('after', '\nExample:\n  npm run cornerman -- replay .cornerman/recordings/alice --verify')
    .action(async (log: string, options: ReplayOptions) => {
      const { replay } = await import('../runs/replay.ts')
      process.exitCode = await replay(log, options)
    })
}
