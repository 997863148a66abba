import { type CompiledPrices, compiledPricesOf } from '../recording/tables.ts'
import type { LogData } from './log/readLogs.ts'

/** The prices of a token, with the texts that their numbers do not give back. */
interface SharedColumn {
  readonly mint: string
  readonly ticks: Int32Array
  readonly values: Float64Array
  readonly oddRows: Int32Array
  readonly oddTexts: readonly string[]
}

/** Logs that were read once, for any number of threads: columns are in memory that all of them see, the rest is copied to each. */
export interface SharedLog {
  readonly at: Float64Array
  readonly known: Float64Array
  readonly columns: readonly SharedColumn[]
  readonly rest: Omit<LogData, 'prices'>
}

/** Logs in a form that can be posted to a thread, where `logOf` makes them what they were. */
export function shareLog({ prices, ...rest }: LogData): SharedLog {
  return { at: shared(prices.at), known: shared(prices.known), columns: prices.mints.flatMap((mint) => columnOf(prices, mint)), rest }
}

function columnOf(prices: CompiledPrices, mint: string): SharedColumn[] {
  const column = prices.of(mint)
  if (column === undefined) return []
  const { ticks, values } = column
  const oddRows = Array.from(values.keys()).filter((row) => column.text(row) !== String(values[row]))
  const odd = { oddRows: Int32Array.from(oddRows), oddTexts: oddRows.map((row) => column.text(row)) }
  return [{ mint, ticks: shared(ticks), values: shared(values), ...odd }]
}

export function logOf({ at, known, columns, rest }: SharedLog): LogData {
  const stored = columns.map(({ mint, ticks, values, oddRows, oddTexts }) => ({
    ...{ mint, ticks, values },
    odd: { rows: oddRows, textAt: (index: number) => oddTexts[index] ?? '' },
  }))
  return { ...rest, prices: compiledPricesOf({ at, known, columns: stored }) }
}

type Column = Float64Array | Int32Array

function shared<T extends Column>(column: T): T {
  const Kind = column.constructor as new (buffer: SharedArrayBuffer) => T
  const copy = new Kind(new SharedArrayBuffer(column.byteLength))
  copy.set(column)
  return copy
}
