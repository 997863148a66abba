import type { Command } from 'commander'
import { durationMs } from '../duration.ts'
import { folderPath } from '../output.ts'
import type { ScoutOptions } from '../runs/scout/scout.ts'

export function scoutCommand(program: Command): void {
  program
    .command('scout')
    .description("record prices and a service's public contests, to try strategies on before the first stake; nothing but reads is sent")
    .option('--config <file>', 'the config; its first bot is whose agent reads', 'bots.config.ts')
    .option(
      '--data-dir <dir>',
      'where the recording is kept, as recordings/scout: that of the bots, where they run',
      folderPath,
      '.cornerman',
    )
    .option('--for <duration>', 'record for so long (90s, 12h, 7d), and then end (default: until it is stopped)', durationMs)
    .option('--modes <modes>', 'only contests of these modes, with commas between them')
    .option('--json', 'print one JSON document at the end')
    .addHelpText(
      'after',
      `
Ctrl-C ends it in order, and the next scout on the same folder goes on. Beside bots that run it takes of the read limit what
they leave. docs/backtest.md says what comes of it.

Examples:
  npm run cornerman -- scout --for 7d
  npm run cornerman -- backtest --log .cornerman/recordings/scout`,
    )
    .action(async (options: ScoutOptions) => {
      const { scout } = await import('../runs/scout/scout.ts')
      process.exitCode = await scout(options)
    })
}
