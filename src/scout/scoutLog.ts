import type { Mint } from '../core/tokens.ts'
import { type InputBody, type PriceBook, recordedBody } from '../pipeline/index.ts'
import { LogWriter, type LogWriterOptions } from '../recording/index.ts'

export interface ScoutLogOptions {
  readonly folder: string
  /** What the price feed knows. */
  readonly book: PriceBook
  readonly limits?: LogWriterOptions['limits']
}

/** An answer as a recording has it; `share` of the contests like it are read. */
export type RecordedAnswer = Extract<InputBody, { type: 'answer' }> & { readonly request: { readonly share?: number } }

/**
 * Writes what a scout sees as the recording of a bot that decides nothing. Every line is with the system once it is written, so that a kill
 * loses nothing that was.
 */
export class ScoutLog {
  readonly #options: ScoutLogOptions
  #writer: LogWriter | undefined
  #n = 0
  #at = 0
  #tick = 0
  #ticks = 0
  readonly #mints = new Set<Mint>()

  constructor(options: ScoutLogOptions) {
    this.#options = options
  }

  /** Answers of the feed that were written. */
  get ticks(): number {
    return this.#ticks
  }

  /** Tokens that there was a price of. */
  get tokens(): number {
    return this.#mints.size
  }

  /**
   * Begins a run, and ends the one before.
   *
   * @throws CornermanError `RECORDING_WRITE_FAILED`, as every method
   */
  begin(header: LogWriterOptions['header'], now: number): void {
    const { folder, limits } = this.#options
    this.close()
    this.#n = 0
    this.#writer = new LogWriter({ folder, header, ...(limits === undefined ? {} : { limits }) })
    this.prices(now)
  }

  /** Writes the prices that were learnt since; before a run has begun they wait for it. */
  prices(now: number): void {
    const { book } = this.#options
    if (this.#writer === undefined || book.tick === this.#tick) return
    const at = this.#timeOf(now)
    for (const { tick, at: known, prices } of book.updates(this.#tick, book.tick)) {
      this.#writer.writePrices({ n: ++this.#n, at, tick, ...(known === at ? {} : { known }), prices })
      this.#ticks += 1
      for (const mint of prices.keys()) this.#mints.add(mint)
    }
    this.#tick = book.tick
    this.#writer.flush()
  }

  answer(answer: RecordedAnswer, now: number): void {
    const [n, at] = [this.#n + 1, this.#timeOf(now)]
    this.#writer?.write({ kind: 'input', n, at, ...recordedBody({ ...answer, n, at }) })
    this.#writer?.flush()
    this.#n = n
  }

  close(): void {
    this.#writer?.close()
    this.#writer = undefined
  }

  /** The service's clock may be set back; the time of a log is not. */
  #timeOf(now: number): number {
    this.#at = Math.max(this.#at, now)
    return this.#at
  }
}
