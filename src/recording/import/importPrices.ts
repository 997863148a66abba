import type { Price } from '../../core/price.ts'
import type { Mint } from '../../core/tokens.ts'
import type { HeaderLine } from '../lines.ts'
import { ALL_OF_IT, LogWriter } from '../logWriter.ts'
import { refuseTaken } from '../repairLog.ts'
import { contestOffers } from './contestOffers.ts'

/** Prices at even steps of time, as a price file holds them. */
export interface PriceHistory {
  /** Unix milliseconds of the first. */
  readonly recordedFrom: number
  readonly stepMs: number
  /** Each token has as many prices as there are steps. */
  readonly series: readonly { readonly mint: Mint; readonly closes: readonly Price[] }[]
}

export interface ImportOptions {
  readonly prices: PriceHistory
  /** The folder of the log: empty, or yet to be made. */
  readonly out: string
  /** Decides which contests are offered. */
  readonly seed: number
  /** About how many. */
  readonly contestsPerHour: number
  readonly software: HeaderLine['software']
  /** Told now and then how many steps are written, of how many. */
  readonly onProgress?: (steps: number, total: number) => void
}

export interface ImportReport {
  /** `prices` lines: steps of the history. */
  readonly ticks: number
  readonly contests: number
}

const BOT = 'import'
/** Steps between reports of progress. */
const REPORT_EVERY = 1024

/**
 * Makes a log of a price history, with contests of all modes for the bots of a backtest to enter. Equal history, seed and
 * rate give equal contests.
 *
 * @throws CornermanError `LOG_OUT_TAKEN`, `RECORDING_WRITE_FAILED`
 */
export function importPrices({ prices, out, seed, contestsPerHour, software, onProgress }: ImportOptions): ImportReport {
  refuseTaken(out)
  const { recordedFrom, stepMs, series } = prices
  const mints = series.map(({ mint }) => mint)
  const ticks = series[0]?.closes.length ?? 0
  const until = recordedFrom + (ticks - 1) * stepMs
  const run = `${new Date(recordedFrom).toISOString().replaceAll(/[-:]|\.\d+/g, '')}-import`
  const writer = new LogWriter({
    folder: out,
    header: { source: 'import', bot: BOT, agentId: null, run, software, config: null, mints },
    limits: ALL_OF_IT,
  })
  const offers = contestOffers({ mints, from: recordedFrom, until, contestsPerHour, seed })
  let contests = 0
  let offer = offers.next()
  for (let tick = 0; tick < ticks; tick++) {
    const at = recordedFrom + tick * stepMs
    for (; offer.done !== true && offer.value.at < at; offer = offers.next()) {
      writer.write(offer.value)
      contests++
    }
    writer.write({ kind: 'prices', at, tick: tick + 1, prices: series.map(({ closes }) => closes[tick] ?? null) })
    if ((tick + 1) % REPORT_EVERY === 0) onProgress?.(tick + 1, ticks)
  }
  writer.close()
  return { ticks, contests }
}
