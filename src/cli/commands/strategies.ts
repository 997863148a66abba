import type { Command } from 'commander'
import type { StrategiesOptions } from '../runs/strategies/strategies.ts'

export function strategiesCommand(program: Command): void {
  program
    .command('strategies')
    .description('what is in strategies/: kinds, modes, and parameters with their ranges and defaults')
    .option('--dir <folder>', 'where strategies are', 'strategies')
    .option('--json', 'print one JSON document')
    .addHelpText(
      'after',
      '\nA file that is not a strategy is named, the others are listed all the same, and the exit code is 1.\n\nExample:\n  npm run cornerman -- strategies',
    )
    .action(async (options: StrategiesOptions) => {
      const { strategies } = await import('../runs/strategies/strategies.ts')
      process.exitCode = await strategies(options)
    })
}
