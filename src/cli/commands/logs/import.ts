import { type Command, InvalidArgumentError } from 'commander'
import { folderPath, logPath } from '../../output.ts'
import type { ImportOptions } from '../../runs/logs/import.ts'
import { whole } from '../../whole.ts'

export function addImport(logs: Command): void {
  logs
    .command('import')
    .description('make a log of a price CSV (ts,SYMBOL,… with a row a minute, gzip or not), with contests to enter')
    .argument('<csv>', 'the price file', logPath)
    .requiredOption('--out <dir>', 'the folder of the log: empty, or not there yet', folderPath)
    .option('--seed <n>', 'decides which contests are offered', whole, 7)
    .option('--contests-per-hour <n>', 'about how many contests are offered', rate, 6)
    .option('--json', 'print one JSON document')
    .addHelpText('after', '\nExample:\n  npm run cornerman -- logs import prices.csv.gz --out july --contests-per-hour 12')
    .action(async (csv: string, options: ImportOptions) => {
      const { importLog } = await import('../../runs/logs/import.ts')
      importLog(csv, options)
    })
}

function rate(text: string): number {
  const value = Number(text)
  if (!(value > 0 && value <= 3600)) throw new InvalidArgumentError('it must be a number above 0, at most 3600')
  return value
}
