// How long `logs import` takes for candles of one minute, and how much memory: one file a token, each price with eight digits.
//
//   npm exec -- node bench/imports.ts [--days 365] [--tokens 30]

import { spawnSync } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { keyedRandom } from '../src/core/random.ts'
import { TOKENS, USDC_MINT } from '../src/core/tokens.ts'

const MINUTES_A_DAY = 1440
const FROM_SEC = Date.UTC(2025, 0, 1) / 1000
const CLI = join(import.meta.dirname, '../src/cli/cornerman.js')

const { values } = parseArgs({ options: { days: { type: 'string', default: '365' }, tokens: { type: 'string', default: '30' } } })
const rows = Number(values.days) * MINUTES_A_DAY
const symbols = TOKENS.filter(({ mint }) => mint !== USDC_MINT)
  .slice(0, Number(values.tokens))
  .map(({ symbol }) => symbol)

const folder = mkdtempSync(join(tmpdir(), 'imports-'))
try {
  const files = symbols.map(candlesOf)
  const began = performance.now()
  const run = spawnSync(
    '/usr/bin/env',
    ['time', '-f', '%M', process.execPath, CLI, 'logs', 'import', ...files, '--out', join(folder, 'log'), '--json'],
    {
      encoding: 'utf8',
      maxBuffer: 1e8,
    },
  )
  const seconds = (performance.now() - began) / 1000
  if (run.status !== 0) throw new Error(run.stderr)
  const { ticks } = JSON.parse(run.stdout) as { ticks: number }
  const prices = rows * symbols.length
  const megabytes = Number(run.stderr.trim().split('\n').at(-1)) / 1024
  console.log(
    `${prices} prices of ${symbols.length} tokens at ${ticks} times in ${seconds.toFixed(0)} s: ${(prices / seconds).toFixed(0)} a second; at most ${megabytes.toFixed(0)} MB`,
  )
} finally {
  rmSync(folder, { recursive: true, force: true })
}

/** A file of candles, as exchanges export them. */
function candlesOf(symbol: string): string {
  const file = join(folder, `${symbol}-USDT-1m.csv`)
  const random = keyedRandom(7, symbol)
  const descriptor = openSync(file, 'w')
  writeSync(descriptor, 'timestamp,open,high,low,close,volume\n')
  let price = 10
  for (let day = 0; day * MINUTES_A_DAY < rows; day++) {
    let text = ''
    for (let minute = 0; minute < MINUTES_A_DAY; minute++) {
      const open = price
      price *= 1 + random.normal() / 2000
      const [high, low] = [Math.max(open, price), Math.min(open, price)]
      const at = FROM_SEC + 60 * (day * MINUTES_A_DAY + minute)
      text += `${at},${open.toFixed(7)},${high.toFixed(7)},${low.toFixed(7)},${price.toFixed(7)},${(1000 * random.next()).toFixed(2)}\n`
    }
    writeSync(descriptor, text)
  }
  closeSync(descriptor)
  return file
}
