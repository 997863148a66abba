import { join } from 'node:path'
import { priceFromNumber } from '../../src/core/price.ts'
import { keyedRandom } from '../../src/core/random.ts'
import { TOKENS, USDC_MINT } from '../../src/core/tokens.ts'
import { importPrices, LogWriter, readLog } from '../../src/recording/index.ts'

const FROM = Date.UTC(2025, 6, 21, 12)
const SEED = 7
const TOKEN_COUNT = 10
const STEP_MS = 5000
/** Twelve minutes. */
const STEPS = 144

/** The tokens that `priceLog` has prices of. */
export const PRICED = TOKENS.map(({ mint }) => mint)
  .filter((mint) => mint !== USDC_MINT)
  .slice(0, TOKEN_COUNT)

/** A log of made-up prices, one in five seconds, with many contests to enter. */
export function priceLog(folder: string): string {
  const log = join(folder, 'prices')
  const series = PRICED.map((mint) => {
    const random = keyedRandom(SEED, mint)
    let price = 10
    return {
      mint,
      closes: Array.from({ length: STEPS }, () => {
        price *= 1 + random.normal() / 500
        return priceFromNumber(price)
      }),
    }
  })
  importPrices({
    prices: { recordedFrom: FROM, stepMs: STEP_MS, series },
    ...{ out: log, seed: SEED, contestsPerHour: 600, software: { cornerman: '0.0.0', node: process.versions.node } },
  })
  return log
}

/** A copy of a log of one run in segments of about so many bytes. */
export function inSegments(log: string, out: string, segmentBytes: number): string {
  let writer: LogWriter | undefined
  for (const { line } of readLog(log)) {
    if (line.kind === 'header')
      writer = new LogWriter({ folder: out, header: line, limits: { segmentBytes, segmentMs: Number.POSITIVE_INFINITY } })
    else writer?.write(line)
  }
  writer?.close()
  return out
}
