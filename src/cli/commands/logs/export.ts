import { type Command, Option } from 'commander'
import type { ExportFormat } from '../../../recording/tables.ts'
import { folderPath, logPath, print } from '../../output.ts'

interface ExportCommandOptions {
  readonly out: string
  readonly format: ExportFormat
  readonly json?: boolean
}

export function addExport(logs: Command): void {
  logs
    .command('export')
    .description('write a log as tables: prices, decisions, events')
    .argument('<path>', "a recording's folder, or one segment", logPath)
    .requiredOption('--out <dir>', 'the folder of the tables: empty, or not there yet', folderPath)
    .addOption(new Option('--format <format>', 'format of the tables').choices(['csv', 'parquet']).makeOptionMandatory())
    .option('--json', 'print one JSON document')
    .addHelpText('after', '\nExample:\n  npm run cornerman -- logs export .cornerman/recordings/alice --out tables --format parquet')
    .action(async (path: string, { out, format, json }: ExportCommandOptions) => {
      const { exportLog } = await import('../../../recording/tables.ts')
      const files = exportLog(path, out, format)
      print(json, { files }, files)
    })
}
