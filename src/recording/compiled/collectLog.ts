import { canonicalPrice, type Price } from '../../core/price.ts'
import type { Mint } from '../../core/tokens.ts'
import { type ReadPrices, readPricesOf } from '../pricesLine.ts'
import { readLog } from '../readLog.ts'
import type { OnProgress } from '../scanLog.ts'
import type { StoredColumn, StoredPrices } from './compiledPrices.ts'
import { GrowingColumn } from './growingColumn.ts'

export interface CollectOptions {
  /** Handed every line that is not prices as it stands there: there may be more of them than fit in memory. */
  readonly onOther?: (text: string) => void
  readonly onProgress?: OnProgress
}

/**
 * The prices of one log, by column. Ticks are numbered anew over the whole log, since each run's feed counts its own; what a run says
 * of a time before the end of the run before it is left out.
 *
 * @throws LogError as `readLog`
 */
export function collectLog(log: string, { onOther, onProgress }: CollectOptions): StoredPrices {
  const ticks = new TickCollector()
  const byMint = new Map<Mint, ColumnCollector>()
  /** By column of the lines that are being read. */
  let columns: ColumnCollector[] = []
  const collectorsOf = (mints: readonly Mint[]) =>
    mints.map((mint) => {
      const known = byMint.get(mint) ?? new ColumnCollector(mint)
      byMint.set(mint, known)
      return known
    })

  const onPrices = (prices: ReadPrices) => {
    const tick = ticks.next(prices)
    if (tick === undefined) return
    for (let column = 0; column < prices.count; column++) columns[column]?.add(tick, prices, column)
  }
  for (const { line, text } of readLog(log, { onPrices, onProgress })) {
    if (line.kind !== 'prices') onOther?.(text)
    if (line.kind === 'header') {
      columns = collectorsOf(line.mints)
      ticks.enter(line.run)
    } else if (line.kind === 'mints') {
      columns.push(...collectorsOf(line.mints))
    } else if (line.kind === 'prices') {
      onPrices(readPricesOf(line))
    }
  }
  return {
    ...ticks.finish(),
    columns: [...byMint.values()].filter(({ isEmpty }) => !isEmpty).map((column) => column.finish()),
  }
}

/** The lines of one log that are not prices, as they stand there, one by one. @throws LogError as `readLog` */
export function* otherTextsOf(log: string): Generator<string> {
  for (const { line, text } of readLog(log, { onPrices: () => {} })) if (line.kind !== 'prices') yield text
}

class TickCollector {
  readonly #at = new GrowingColumn(Float64Array)
  readonly #known = new GrowingColumn(Float64Array)
  #run: string | undefined
  #newest = Number.NEGATIVE_INFINITY
  /** The end of the runs before. */
  #coveredUntil = Number.NEGATIVE_INFINITY

  enter(run: string): void {
    if (run !== this.#run) this.#coveredUntil = this.#newest
    this.#run = run
  }

  /** The number of a line's tick; undefined where an earlier run covers its time. */
  next({ at, known = at }: ReadPrices): number | undefined {
    if (at <= this.#coveredUntil) return undefined
    this.#newest = at
    this.#at.push(at)
    this.#known.push(known)
    return this.#at.length
  }

  finish(): { readonly at: Float64Array; readonly known: Float64Array } {
    return { at: this.#at.finish(), known: this.#known.finish() }
  }
}

class ColumnCollector {
  readonly #mint: Mint
  readonly #ticks = new GrowingColumn(Int32Array)
  readonly #values = new GrowingColumn(Float64Array)
  readonly #oddRows = new GrowingColumn(Int32Array)
  readonly #oddTexts: Price[] = []

  constructor(mint: Mint) {
    this.#mint = mint
  }

  get isEmpty(): boolean {
    return this.#ticks.length === 0
  }

  /** Adds the price that a line has of a column, if it has one. */
  add(tick: number, prices: ReadPrices, column: number): void {
    const value = prices.value(column)
    if (!Number.isNaN(value)) {
      this.#push(tick, value)
      return
    }
    const text = prices.text(column)
    if (text !== null) this.#push(tick, this.#valueOf(text))
  }

  #push(tick: number, value: number): void {
    this.#ticks.push(tick)
    this.#values.push(value)
  }

  /** Of the next row, whose text is kept where the number does not give it back. */
  #valueOf(text: Price): number {
    const value = Number(text)
    const plain = String(value)
    // Text that differs may still be the same price in another form.
    if (plain !== text && plain !== canonicalPrice(text)) {
      this.#oddRows.push(this.#ticks.length)
      this.#oddTexts.push(canonicalPrice(text))
    }
    return value
  }

  finish(): StoredColumn {
    const texts = this.#oddTexts
    return {
      mint: this.#mint,
      ticks: this.#ticks.finish(),
      values: this.#values.finish(),
      odd: { rows: this.#oddRows.finish(), textAt: (index) => texts[index] ?? '' },
    }
  }
}
