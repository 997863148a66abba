import { decisionsOf, type InputOf, type PriceBook, type Recorder, recordedBody, type Step } from '../pipeline/index.ts'
import { LogWriter, type LogWriterOptions } from '../recording/index.ts'

export interface FileRecorderOptions extends LogWriterOptions {
  /** The book that the bot's price inputs are ticks of. */
  readonly book: PriceBook
}

/**
 * Records one run of a bot. Every input is with the system before the journal knows of it, and on the disk before
 * anything that it caused is sent (law 4), so that a crash loses nothing but a suffix nobody heard of.
 */
export class FileRecorder implements Recorder {
  readonly folder: string
  readonly #writer: LogWriter
  readonly #book: PriceBook
  #tick = 0

  /** @throws CornermanError `RECORDING_WRITE_FAILED`, as every method */
  constructor({ book, ...options }: FileRecorderOptions) {
    this.folder = options.folder
    this.#book = book
    this.#writer = new LogWriter(options)
  }

  record(step: Step): void {
    const { input, orders } = step
    const { n, at } = input
    if (input.type === 'prices') this.#recordPrices(input)
    else this.#writer.write({ kind: 'input', n, at, ...recordedBody(input) })
    const decisions = decisionsOf(step)
    if (decisions.length > 0) this.#writer.write({ kind: 'output', n, at, decisions })
    if (orders.length > 0) this.#writer.sync()
    // What the journal gave back is there already, and comes by the thousand.
    else if (input.type !== 'event' || !input.recorded) this.#writer.flush()
  }

  price(input: InputOf<'prices'>): void {
    this.#recordPrices(input)
    this.#writer.flush()
  }

  close(): void {
    this.#writer.close()
  }

  /** What the book came to know before the bot listened has no input of its own. */
  #recordPrices({ tick: upTo, n, at }: InputOf<'prices'>): void {
    const updates = this.#book.updates(this.#tick, upTo)
    for (const { tick, at: known, prices } of updates) {
      this.#writer.writePrices({ ...(tick === upTo ? { n } : {}), at, tick, ...(known === at ? {} : { known }), prices })
    }
    // An answer without a price is an input all the same.
    if (updates.at(-1)?.tick !== upTo) this.#writer.writePrices({ n, at, tick: upTo, prices: new Map() })
    this.#tick = upTo
  }
}
