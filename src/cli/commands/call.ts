import type { Command } from 'commander'
import { folderPath } from '../output.ts'
import type { CallOptions } from '../runs/call.ts'

export function callCommand(program: Command): void {
  program
    .command('call <procedure> [input]')
    .description('call one procedure of the service, and print its answer')
    .option('--config <file>', 'the config that names the service and the keys', 'bots.config.ts')
    .option('--bot <name>', 'whose key to use (default: the first bot)')
    .option('--data-dir <dir>', 'where the sandbox is kept', folderPath, '.cornerman')
    .addHelpText(
      'after',
      `
The input is JSON as the service takes it, amounts as micro-USDC digits. An action is really sent.

Examples:
  npm run cornerman -- call agent.me
  npm run cornerman -- call agent.history '{"limit":5}' --bot bob`,
    )
    .action(async (procedure: string, input: string | undefined, options: CallOptions) => {
      const { call } = await import('../runs/call.ts')
      process.exitCode = await call(procedure, input, options)
    })
}
