import { join } from 'node:path'
import { importPrices } from '../../../src/recording/index.ts'
import { compileLog } from '../../../src/recording/tables.ts'
import { DEFAULT_PRICE_FILE, ROW_SECONDS, readPriceFile } from '../../../src/sandbox/prices/readPriceFile.ts'
import { emptyFolder } from '../logFiles.ts'
import type { Arena } from './houseArena.ts'

const STEP_MS = ROW_SECONDS * 1000

/** Enough for a draft's pool, and for a choice of the liveliest. */
const MOST_TOKENS = 12

/** The folder of a log of the one-minute prices that come with the project; its own contests are few, and no matter. */
export function importedMinutes(): string {
  const out = join(emptyFolder(), 'minutes')
  const { recordedFrom, series } = readPriceFile(DEFAULT_PRICE_FILE)
  const prices = { recordedFrom, series: series.slice(0, MOST_TOKENS), stepMs: STEP_MS }
  importPrices({ prices, out, seed: 7, contestsPerHour: 0.01, software: { cornerman: '0.0.0', node: process.versions.node } })
  return out
}

/** The same prices, to be played on. */
export const minuteLog = (): Arena => ({ prices: compileLog([importedMinutes()]), stepMs: STEP_MS })
