import { type Command, Option } from 'commander'
import { folderPath, logPath } from '../../output.ts'
import type { ExportOptions } from '../../runs/logs/export.ts'

export function addExport(logs: Command): void {
  logs
    .command('export')
    .description('write a log as tables: prices, decisions, events')
    .argument('<path>', "a recording's folder, or one segment", logPath)
    .addOption(new Option('--format <csv|parquet>', 'format of the tables').choices(['csv', 'parquet']).makeOptionMandatory())
    .requiredOption('--out <dir>', 'the folder of the tables: empty, or not there yet', folderPath)
    .option('--json', 'print one JSON document')
    .addHelpText('after', '\nExample:\n  npm run cornerman -- logs export .cornerman/recordings/alice --out tables --format parquet')
    .action(async (path: string, options: ExportOptions) => {
      const { exportTables } = await import('../../runs/logs/export.ts')
      exportTables(path, options)
    })
}
