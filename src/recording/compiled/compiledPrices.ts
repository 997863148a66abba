import { countUpTo } from '../../core/countUpTo.ts'
import type { Price } from '../../core/price.ts'
import type { Mint } from '../../core/tokens.ts'
import type { LogLine, PricesLine } from '../lines.ts'

/** The prices of recorded logs as columns of numbers. A tick is one answer of the price feed. */
export interface CompiledPrices {
  /** In the order in which they were first priced. */
  readonly mints: readonly Mint[]
  /** Ticks count from 1 up to this one, over all runs and logs. */
  readonly tickCount: number
  /** When the bot learnt of a tick, Unix milliseconds, never falling: that of tick t is at index t - 1. */
  readonly at: Float64Array
  /** When the tick's prices were known, Unix milliseconds, by the same index. */
  readonly known: Float64Array
  /** Undefined of a token that was never priced. */
  of(mint: Mint): PriceColumn | undefined
}

/** Recorded logs, as a backtest plays on them. */
export interface CompiledLog extends CompiledPrices {
  /** Log by log in the order in which they began. */
  readonly parts: readonly LogPart[]
  /** The lines that are not prices, of all parts. */
  others(): Iterable<OtherLine>
}

/** One of several logs. */
export interface LogPart {
  /** When the bot learnt of its last prices, Unix milliseconds; undefined without any. */
  readonly until: number | undefined
  /** Its lines that are not prices. */
  others(): Iterable<OtherLine>
}

export type OtherLine = Exclude<LogLine, PricesLine>

/** The prices of one token, one row for each tick that has one. */
export interface PriceColumn {
  /** Rising. */
  readonly ticks: Int32Array
  /** USD. */
  readonly values: Float64Array
  /** The exact price of a row in canonical form, of which `values` is the nearest number. */
  text(row: number): Price
}

/** Texts that their numbers do not give back, by row; few logs have any. */
export interface OddTexts {
  readonly rows: Int32Array
  textAt(index: number): Price
}

export interface StoredColumn {
  readonly mint: Mint
  readonly ticks: Int32Array
  readonly values: Float64Array
  readonly odd: OddTexts
}

export interface StoredPrices {
  readonly at: Float64Array
  readonly known: Float64Array
  readonly columns: readonly StoredColumn[]
}

export interface StoredLog extends StoredPrices {
  /** The lines that are not prices, as they stand in the log. There may be more of them than fit in memory: they are read one by one. */
  others(): Iterable<string>
}

export function compiledLogOf({ others, ...prices }: StoredLog): CompiledLog {
  const lines = () => linesOf(others())
  return { ...compiledPricesOf(prices), parts: [{ until: prices.at.at(-1), others: lines }], others: lines }
}

export function compiledPricesOf({ at, known, columns }: StoredPrices): CompiledPrices {
  const byMint = new Map(columns.map((column) => [column.mint, { ...column, text: keptTexts((row) => textOf(column, row)) }]))
  return { mints: [...byMint.keys()], tickCount: at.length, at, known, of: (mint) => byMint.get(mint) }
}

/** Nothing is checked again: the log was found to be in order when it was compiled. */
function* linesOf(texts: Iterable<string>): Generator<OtherLine> {
  for (const text of texts) yield JSON.parse(text) as OtherLine
}

/** A power of two. */
const KEPT = 64

/** Keeps the texts of the last rows: the price of an instant is asked for again and again, by the guard, the DEX and every contest. */
function keptTexts(textOfRow: (row: number) => Price): (row: number) => Price {
  const rows = new Int32Array(KEPT).fill(-1)
  const texts: Price[] = []
  return (row) => {
    const place = row & (KEPT - 1)
    const kept = rows[place] === row ? texts[place] : undefined
    if (kept !== undefined) return kept
    const text = textOfRow(row)
    rows[place] = row
    texts[place] = text
    return text
  }
}

function textOf({ values, odd }: StoredColumn, row: number): Price {
  const place = countUpTo(odd.rows, row - 1)
  return odd.rows[place] === row ? odd.textAt(place) : String(values[row])
}
