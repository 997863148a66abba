import { type Command, InvalidArgumentError, Option } from 'commander'
import { durationMs } from '../../duration.ts'
import { folderPath, logPath, logPaths } from '../../output.ts'
import { writesForOthers } from '../../privacy.ts'
import type { ImportOptions } from '../../runs/logs/import.ts'
import { wholeFrom } from '../../whole.ts'

export function addImport(logs: Command): void {
  writesForOthers(logs.command('import'))
    .description('make a log of files of prices, with contests to enter')
    .argument('<file...>', 'CSV or JSON, packed with gzip or not', logPaths)
    .option('--out <dir>', 'the folder of the log: empty, or not there yet', folderPath)
    .option('--join <log>', 'a log made by an import, which the files extend: in its place, or with --out in another', logPath)
    .option('--token <symbol or mint>', 'the token of a file, once for each file; else its name says it', listed)
    .addOption(
      new Option('--times <what>', 'what the times are of: the opens of candles, or the prices (default: as the file tells)').choices([
        'open',
        'close',
      ]),
    )
    .option('--max-hole <duration>', 'the longest time without a price (default: 1h, or ten periods if that is more)', durationMs)
    .addOption(new Option('--duplicates <which>', 'which of several rows of one time counts (default: refused)').choices(['first', 'last']))
    .addOption(
      new Option('--outliers <what>', 'what becomes of prices of ten times their neighbours, or a tenth (default: refused)').choices([
        'keep',
        'drop',
      ]),
    )
    .option('--round', 'round prices to the 18 decimals that a log holds (default: finer ones are refused)')
    .option('--seed <n>', 'decides which contests are offered', wholeFrom(0), 7)
    .option('--contests-per-hour <n>', 'about how many contests are offered', rate, 6)
    .option('--json', 'print one JSON document')
    .addHelpText(
      'after',
      `
A file has candles of one token, or a time and a column for each token. Its columns are found by their names, in any order:
timestamp, date, time, ts, open_time or unixTime; close, c, price or value; or the symbols and mints of tokens. The klines of
Binance, which have no header, and the JSON of freqtrade, ccxt, Birdeye and CoinGecko are known. Times are seconds, milliseconds,
microseconds or ISO 8601. A close is in the log when its candle ends. docs/backtest.md says more.

Examples:
  npm run cornerman -- logs import prices.csv.gz --out july --contests-per-hour 12
  npm run cornerman -- logs import SOL_USDT-1m.json.gz BONKUSDT-1m-2025-07.csv --out july --max-hole 12h
  npm run cornerman -- logs import candles.csv --token SOL --out sol
  npm run cornerman -- logs import SOL_USDT-1m-august.csv --token SOL --join sol`,
    )
    .action(async (files: readonly string[], options: ImportOptions) => {
      const { importLog } = await import('../../runs/logs/import.ts')
      await importLog(files, options)
    })
}

const listed = (text: string, before: readonly string[] = []): readonly string[] => [...before, text]

function rate(text: string): number {
  const value = Number(text)
  if (!(value > 0 && value <= 3600)) throw new InvalidArgumentError('it must be a number above 0, at most 3600')
  return value
}
