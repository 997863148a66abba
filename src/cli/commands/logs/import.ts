import { type Command, InvalidArgumentError } from 'commander'
import { importPrices } from '../../../recording/index.ts'
import { ROW_SECONDS, readPriceFile } from '../../../sandbox/index.ts'
import { folderPath, logPath, print } from '../../output.ts'
import { softwareVersions } from '../../software.ts'
import { whole } from '../../whole.ts'

interface ImportCommandOptions {
  readonly out: string
  readonly seed: number
  readonly contestsPerHour: number
  readonly json?: boolean
}

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
    .action((csv: string, { out, seed, contestsPerHour, json }: ImportCommandOptions) => {
      const prices = { ...readPriceFile(csv), stepMs: ROW_SECONDS * 1000 }
      const report = importPrices({ prices, out, seed, contestsPerHour, software: softwareVersions() })
      print(json, { log: out, ...report }, [`${out}: ${report.ticks} price lines, ${report.contests} contests`])
    })
}

function rate(text: string): number {
  const value = Number(text)
  if (!(value > 0 && value <= 3600)) throw new InvalidArgumentError('it must be a number above 0, at most 3600')
  return value
}
