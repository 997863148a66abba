import type { Command } from 'commander'
import { folderPath } from '../output.ts'
import type { DoctorOptions } from '../runs/doctor.ts'

export function doctorCommand(program: Command): void {
  program
    .command('doctor')
    .description('look at config, keys, clock, service, limits, prices, webhooks, alerts, locks and disk; nothing is sent to the service')
    .option('--config <file>', 'the config', 'bots.config.ts')
    .option('--data-dir <dir>', 'where journals and the sandbox are kept', folderPath, '.cornerman')
    .option('--notify', 'send a test alert to every channel')
    .option('--json', 'print one JSON document')
    .addHelpText('after', '\nExample:\n  npm run cornerman -- doctor --json')
    .action(async (options: DoctorOptions) => {
      const { doctor } = await import('../runs/doctor.ts')
      process.exitCode = await doctor(options)
    })
}
