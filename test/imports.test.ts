import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { SOL_MINT, tokenOf } from '../src/core/tokens.ts'
import { checkLog, importRows, type PricesLine } from '../src/recording/index.ts'
import { openPriceFiles } from '../src/recording/priceFiles.ts'
import { contentOf, emptyFolder } from './support/logFiles.ts'

const fileAt = (name: string): string => join(import.meta.dirname, 'data/imports', name)
const mintOf = (symbol: string): string => tokenOf(symbol)?.mint ?? ''

/** The log that is made of files: its prices at their times. */
async function logOf(paths: readonly string[], options: Parameters<typeof openPriceFiles>[1] = {}) {
  const out = emptyFolder()
  const found = await openPriceFiles(paths, options)
  const { mints, from, until, stepMs } = found
  const writing = { out, seed: 7, contestsPerHour: 6, software: { cornerman: '0', node: '24' } }
  const report = await importRows({ mints, from, until, stepMs, rows: found.rows() }, writing)
  expect(checkLog(out)).toEqual([])
  const lines = contentOf(out).filter((line): line is PricesLine => line.kind === 'prices')
  expect(report.ticks).toBe(lines.length)
  return { out, found, lines, mints }
}

const at = (line: PricesLine): string => new Date(line.at).toISOString().replace('.000Z', 'Z')
const every = (first: string, stepMs: number): string[] =>
  Array.from({ length: 6 }, (_, index) => new Date(Date.parse(first) + index * stepMs).toISOString().replace('.000Z', 'Z'))

const CLOSES = ['191.87', '191.93', '192.01', '191.5', '191.55', '191.61']
const SECOND = 1000
const MINUTE = 60_000
const DAY = 86_400_000
/** The first candle of most files begins at 11:57: its close is known at 11:58. */
const MINUTES = every('2025-07-21T11:58:00Z', MINUTE)

interface Shape {
  readonly file: string
  readonly token?: string
  readonly prices?: readonly string[]
  readonly times?: readonly string[]
  readonly timesAre?: 'open' | 'close'
}

const SHAPES: readonly Shape[] = [
  { file: 'SOL_USDT-1m.json' },
  {
    file: 'BONK_USDT_USDT-5m-futures.json.gz',
    token: 'BONK',
    prices: [0, 1, 2, 3, 4, 5].map((digit) => `0.0000349${digit}7654321`),
    times: every('2025-07-21T12:00:00Z', 5 * MINUTE),
  },
  { file: 'freqtrade-SOL-dataframe.csv' },
  { file: 'candles_binance_SOL-USDT_1m.csv' },
  { file: 'ccxt-SOL-USDC.csv' },
  { file: 'SOLUSDT-1m-2024-12.csv' },
  { file: 'SOLUSDT-1m-2025-07.csv.gz' },
  { file: 'SOLUSDC-1m-futures.csv' },
  { file: 'binance-klines-SOL.json' },
  { file: 'birdeye-ohlcv.json' },
  { file: 'birdeye-WIF.csv', token: 'WIF', prices: [0, 1, 2, 3, 4, 5].map((digit) => `1.1234567890123456${digit || ''}`) },
  {
    file: 'birdeye-history-JUP.json',
    token: 'JUP',
    timesAre: 'close',
    prices: [0, 1, 2, 3, 4, 5].map((digit) => `0.53${digit}234567890123456`),
    times: every('2025-07-21T11:57:00Z', MINUTE),
  },
  {
    file: 'coingecko-market-chart-sol.json',
    timesAre: 'close',
    prices: ['191.87081234567', '191.93181234567', '192.0100281234567', '191.5381234567', '191.55481234567', '191.61581234567'],
    times: [
      ...['2025-07-21T11:57:00Z', '2025-07-21T12:57:00.913Z', '2025-07-21T13:57:00.077Z'],
      ...['2025-07-21T14:57:01.500Z', '2025-07-21T15:57:00.300Z', '2025-07-21T16:57:00.042Z'],
    ],
  },
  {
    file: 'coingecko-ohlc-sol.json',
    timesAre: 'close',
    times: every('2025-07-21T12:00:00Z', 30 * MINUTE),
  },
  {
    file: 'sol-usd-max.csv',
    timesAre: 'close',
    prices: ['191.8712345678901', '191.9312345678901', '192.010012345678901', '191.512345678901', '191.5512345678901', '191.6112345678901'],
    times: every('2025-07-21T00:00:00Z', DAY),
  },
  { file: 'geckoterminal-SOL.json' },
  { file: 'BINANCE_SOLUSDT, 1.csv' },
  { file: 'BINANCE_SOLUSDT, 5_0a1b2.csv', times: every('2025-07-21T12:00:00Z', 5 * MINUTE) },
  { file: 'SOL.csv' },
  { file: 'SOL-1s.tsv', times: every('2025-07-21T11:57:01Z', SECOND) },
]

describe('logs import', () => {
  test.each(SHAPES)('reads $file as it is, to the last digit', async (shape) => {
    const { file, token = 'SOL', prices = CLOSES, times = MINUTES, timesAre = 'open' } = shape
    const { lines, mints, found } = await logOf([fileAt(file)])
    expect(mints).toEqual([mintOf(token)])
    expect(lines.map((line) => line.prices)).toEqual(prices.map((price) => [price]))
    expect(lines.map(at)).toEqual(times)
    expect(found.files[0]?.read.shape.timeOf).toBe(timesAre)
  })

  test('reads a column a token: an empty cell is a hole', async () => {
    const { lines, mints, found } = await logOf([fileAt('wide.csv')])
    expect(mints).toEqual(['SOL', 'BONK', 'JUP'].map(mintOf))
    const jup = ['0.5', '0.51', null, '0.53', '0.54', '0.55']
    const bonk = ['0.0000349', '0.00003491', '0.00003492', '0.00003493', '0.00003494', '0.00003495'].map(
      (price) => `${price.slice(0, 9)}5${price.slice(9)}`,
    )
    expect(lines.map((line) => line.prices)).toEqual(CLOSES.map((price, row) => [price, bonk[row]?.replace(/0$/, ''), jup[row]]))
    expect(lines.map(at)).toEqual(every('2025-07-21T11:57:00Z', MINUTE))
    expect(found.files[0]?.series.map(({ holes }) => holes.missing)).toEqual([0, 0, 1])
  })

  test('lays many files on one clock: the times of all, and holes where a file has none', async () => {
    const files = ['SOL_USDT-1m.json', 'BONK_USDT_USDT-5m-futures.json.gz', 'birdeye-WIF.csv'].map(fileAt)
    const { lines, mints } = await logOf(files)
    expect(new Set(mints)).toEqual(new Set(['SOL', 'BONK', 'WIF'].map(mintOf)))
    const of = (symbol: string) => lines.flatMap((line) => line.prices[mints.indexOf(mintOf(symbol))] ?? [])
    expect(of('SOL')).toEqual(CLOSES)
    expect(of('BONK')).toHaveLength(6)
    expect(of('WIF')).toHaveLength(6)
    expect(lines.map(at)).toEqual([...new Set([...MINUTES, ...every('2025-07-21T12:00:00Z', 5 * MINUTE)])].toSorted())
  })

  test('a close is in the log when its candle ends, unless it is said that the times are those of closes', async () => {
    const file = fileAt('BINANCE_SOLUSDT, 1.csv')
    expect((await logOf([file])).lines.map(at)[0]).toBe('2025-07-21T11:58:00Z')
    expect((await logOf([file], { timesAre: 'close' })).lines.map(at)[0]).toBe('2025-07-21T11:57:00Z')
    expect((await logOf([fileAt('wide.csv')], { timesAre: 'open' })).lines.map(at)[0]).toBe('2025-07-21T11:58:00Z')
  })

  test('a token is named by its symbol or its mint', async () => {
    const file = fileAt('BINANCE_SOLUSDT, 1.csv')
    expect((await logOf([file], { tokens: ['jup'] })).mints).toEqual([mintOf('JUP')])
    expect((await logOf([file], { tokens: ['bonk'] })).lines[0]?.prices).toEqual(['191.87'])
    expect((await logOf([file], { tokens: ['kBONK'] })).lines[0]?.prices).toEqual(['0.19187'])
    const mint = '9'.repeat(43)
    expect((await logOf([file], { tokens: [mint] })).mints).toEqual([mint])
    expect((await logOf([file], { tokens: [SOL_MINT] })).mints).toEqual([SOL_MINT])
  })
})
