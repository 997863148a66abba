import { type Command, InvalidArgumentError } from 'commander'
import { folderPath, logPath } from '../../output.ts'
import type { ImportOptions } from '../../runs/logs/import.ts'
import { wholeFrom } from '../../whole.ts'

export function addImport(logs: Command): void {
  logs
    .command('import')
    .description('make a log of a price CSV, with contests to enter')
    .argument('<csv>', 'the price file', logPath)
    .requiredOption('--out <dir>', 'the folder of the log: empty, or not there yet', folderPath)
    .option('--seed <n>', 'decides which contests are offered', wholeFrom(0), 7)
    .option('--contests-per-hour <n>', 'about how many contests are offered', rate, 6)
    .option('--json', 'print one JSON document')
    .addHelpText(
      'after',
      `
The CSV, gzip or not, begins with the header ts,SYMBOL,… and has a row a minute without a hole. ts is Unix seconds; a price is
decimal text in USD above 0.

Example:
  npm run cornerman -- logs import prices.csv.gz --out july --contests-per-hour 12`,
    )
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
