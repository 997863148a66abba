import type { Price } from '../../core/price.ts'
import type { Mint } from '../../core/tokens.ts'
import type { ContestLine, HeaderLine } from '../lines.ts'
import { ALL_OF_IT, LogWriter } from '../logWriter.ts'
import { refuseTaken } from '../repairLog.ts'
import { contestOffers } from './contestOffers.ts'

/** Prices at even steps of time, in memory. */
export interface PriceHistory {
  /** Unix milliseconds of the first. */
  readonly recordedFrom: number
  readonly stepMs: number
  /** Each token has as many prices as there are steps. */
  readonly series: readonly { readonly mint: Mint; readonly closes: readonly Price[] }[]
}

/** Prices that come one by one, at any times. */
export interface PriceStream {
  readonly mints: readonly Mint[]
  /** Unix milliseconds of the first and of the last. */
  readonly from: number
  readonly until: number
  /** Between two prices of a token, as a rule. */
  readonly stepMs: number
  /** In the order of time, by the order of `mints`; null: no price of that token. */
  readonly rows: AsyncIterable<{ readonly at: number; readonly prices: readonly (Price | null)[] }>
}

export interface LogOptions {
  /** The folder of the log: empty, or yet to be made. */
  readonly out: string
  /** Decides which contests are offered. */
  readonly seed: number
  /** About how many. */
  readonly contestsPerHour: number
  readonly software: HeaderLine['software']
  /** Whose time it is. Default: `import`. */
  readonly realm?: string
}

export interface ImportOptions extends LogOptions {
  readonly prices: PriceHistory
}

export interface ImportReport {
  /** `prices` lines: times of which there is a price. */
  readonly ticks: number
  readonly contests: number
}

const BOT = 'import'

/**
 * Makes a log of a price history, with contests of all modes for the bots of a backtest to enter. Equal history, seed and
 * rate give equal contests.
 *
 * @throws CornermanError `LOG_OUT_TAKEN`, `RECORDING_WRITE_FAILED`
 */
export function importPrices({ prices, ...options }: ImportOptions): ImportReport {
  const { recordedFrom: from, stepMs, series } = prices
  const ticks = series[0]?.closes.length ?? 0
  const log = new PriceLog({ mints: series.map(({ mint }) => mint), from, until: from + (ticks - 1) * stepMs, stepMs }, options)
  for (let tick = 0; tick < ticks; tick++)
    log.add(
      from + tick * stepMs,
      series.map(({ closes }) => closes[tick] ?? null),
    )
  return log.close()
}

/** As `importPrices`, of more than fits in memory. @throws whatever the rows throw, besides; the log then ends there */
export async function importRows({ rows, ...span }: PriceStream, options: LogOptions): Promise<ImportReport> {
  const log = new PriceLog(span, options)
  try {
    for await (const { at, prices } of rows) log.add(at, prices)
  } finally {
    log.close()
  }
  return log.report
}

/** A log that is being made of prices. */
class PriceLog {
  readonly #writer: LogWriter
  readonly #offers: Iterator<ContestLine>
  #offer: IteratorResult<ContestLine>
  #ticks = 0
  #contests = 0

  constructor(
    { mints, from, until, stepMs }: Omit<PriceStream, 'rows'>,
    { out, seed, contestsPerHour, software, realm = 'import' }: LogOptions,
  ) {
    refuseTaken(out)
    const run = `${new Date(from).toISOString().replaceAll(/[-:]|\.\d+/g, '')}-import`
    this.#writer = new LogWriter({
      folder: out,
      header: { source: 'import', realm, bot: BOT, agentId: null, run, software, config: null, mints },
      limits: ALL_OF_IT,
    })
    this.#offers = contestOffers({ mints, stepMs, from, until, contestsPerHour, seed })
    this.#offer = this.#offers.next()
  }

  get report(): ImportReport {
    return { ticks: this.#ticks, contests: this.#contests }
  }

  add(at: number, prices: readonly (Price | null)[]): void {
    for (; this.#offer.done !== true && this.#offer.value.at < at; this.#offer = this.#offers.next()) {
      this.#writer.write(this.#offer.value)
      this.#contests += 1
    }
    this.#ticks += 1
    this.#writer.write({ kind: 'prices', at, tick: this.#ticks, prices })
  }

  close(): ImportReport {
    this.#writer.close()
    return this.report
  }
}
