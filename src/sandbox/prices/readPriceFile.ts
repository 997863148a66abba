import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'
import { type Info, parse } from 'csv-parse/sync'
import { CornermanError, messageOf } from '../../core/error.ts'
import { canonicalPrice, type Price, scalePrice, unscalePrice } from '../../core/price.ts'
import { PRICE_COLUMNS, type PriceColumn } from '../../core/priceColumns.ts'
import type { Mint } from '../../core/tokens.ts'

/** The recorded prices that come with the project. */
export const DEFAULT_PRICE_FILE = fileURLToPath(new URL('../data/31-coins-1m-closes-2025-07.csv.gz', import.meta.url))

/** Seconds between two rows of a price file. */
export const ROW_SECONDS = 60

/** An editor may leave empty lines at the end. */
const LAST_LINE_ENDS = /[\r\n]+$/

/** Rows between reports of progress. */
const REPORT_EVERY = 1024

/** One coin's recorded closes, one a minute; the same closes as text and as numbers. */
export interface PriceSeries {
  readonly mint: Mint
  readonly closes: readonly Price[]
  readonly values: Float64Array
}

export interface PriceFile {
  /** SHA-256 of the text, unpacked: which prices a stored sandbox was made with. */
  readonly fingerprint: string
  /** Unix milliseconds of the first row. */
  readonly recordedFrom: number
  readonly series: readonly PriceSeries[]
}

interface Column extends PriceColumn {
  /** The price that a cell says. */
  readonly read: (text: string, info: Info) => Price
}

interface Line {
  readonly record: string[]
  readonly info: Info
}

const fault = (file: string, problem: string, details: Record<string, unknown> = {}, cause?: unknown) =>
  new CornermanError('PRICE_FILE_INVALID', `price file ${file}${problem}`, { details: { file, ...details }, cause })

/**
 * Reads a price file: CSV, packed with gzip or not, with the header `ts,SYMBOL,…` and one row a minute.
 * `ts` is Unix seconds; each price is decimal text in USD above 0.
 *
 * @param onProgress told now and then how many bytes of the text are read, of how many
 * @throws CornermanError `PRICE_FILE_INVALID` naming the file, the line, the column and what is allowed
 */
export function readPriceFile(file: string, onProgress?: (bytes: number, total: number) => void): PriceFile {
  const text = readText(file)
  onProgress?.(0, text.length)
  const [header, ...rows] = readLines(file, text)
  if (header === undefined) throw fault(file, ' is empty: it needs a header ts,SYMBOL,… and at least two rows')
  const columns = readHeader(file, header.record)
  if (rows.length < 2) throw fault(file, ` has ${rows.length === 1 ? 'one row' : 'no row'}: it needs at least two, a minute apart`)

  const closes = columns.map((): Price[] => [])
  let previousTs: number | undefined
  for (const row of rows) {
    previousTs = readTimestamp(file, row, previousTs)
    if (row.record.length !== columns.length + 1) {
      throw fault(file, `, line ${row.info.lines}: has ${row.record.length} fields, the header has ${columns.length + 1}`)
    }
    for (const [index, column] of columns.entries()) {
      closes[index]?.push(column.read(row.record[index + 1] ?? '', row.info))
    }
    if (row.info.records % REPORT_EVERY === 0) onProgress?.(row.info.bytes, text.length)
  }
  return {
    fingerprint: createHash('sha256').update(text).digest('hex'),
    recordedFrom: Number(rows[0]?.record[0]) * 1000,
    series: columns.map(({ mint }, index) => {
      const texts = closes[index] ?? []
      return { mint, closes: texts, values: Float64Array.from(texts, Number) }
    }),
  }
}

function readText(file: string): string {
  const bytes = tryTo(
    () => readFileSync(file),
    (cause) => fault(file, ` cannot be read: ${messageOf(cause)}`, {}, cause),
  )
  const isPacked = bytes[0] === 0x1f && bytes[1] === 0x8b
  const text = tryTo(
    () => (isPacked ? gunzipSync(bytes) : bytes),
    (cause) => fault(file, ` is not whole gzip: ${messageOf(cause)}`, {}, cause),
  )
  return text.toString('utf8')
}

function tryTo<T>(work: () => T, failure: (cause: unknown) => CornermanError): T {
  try {
    return work()
  } catch (cause) {
    throw failure(cause)
  }
}

function readLines(file: string, text: string): Line[] {
  return tryTo(
    // Rows of another length are let through here, so that they are reported in our own words.
    () => parse(text.replace(LAST_LINE_ENDS, ''), { bom: true, info: true, relax_column_count: true }) as unknown as Line[],
    (cause) => fault(file, ` is not CSV: ${messageOf(cause)}`, {}, cause),
  )
}

function readHeader(file: string, header: readonly string[]): Column[] {
  const [first, ...names] = header
  if (first !== 'ts' || names.length === 0) {
    throw fault(file, `, line 1: the header starts ${JSON.stringify(header.slice(0, 3).join(','))}, it must be ts,SYMBOL,…`)
  }
  const seen = new Set<Mint>()
  return names.map((name) => {
    const column = PRICE_COLUMNS.get(name)
    if (column === undefined) {
      throw fault(file, `, line 1: no token is known for column ${JSON.stringify(name)}; known are ${[...PRICE_COLUMNS.keys()].join(', ')}`)
    }
    if (seen.has(column.mint)) throw fault(file, `, line 1: column ${name} prices a token that another column prices already`)
    seen.add(column.mint)
    return { ...column, read: closeReader(file, name, column.tokens) }
  })
}

function readTimestamp(file: string, { record, info }: Line, previousTs: number | undefined): number {
  const text = record[0] ?? ''
  const ts = /^\d{1,11}$/.test(text) ? Number(text) : Number.NaN
  if (Number.isNaN(ts)) throw fault(file, `, line ${info.lines}: ts is ${JSON.stringify(text)}, it must be Unix seconds such as 1753099020`)
  if (previousTs !== undefined && ts !== previousTs + ROW_SECONDS) {
    throw fault(
      file,
      `, line ${info.lines}: ts is ${ts} and the row before has ${previousTs}; rows are ${ROW_SECONDS} s apart without a hole, so ${previousTs + ROW_SECONDS} belongs here`,
      { line: info.lines, ts, previousTs },
    )
  }
  return ts
}

function closeReader(file: string, column: string, tokens: bigint): Column['read'] {
  const wrong = ({ lines }: Info, problem: string, cause?: unknown) =>
    fault(file, `, line ${lines}, column ${column}: ${problem}`, {}, cause)
  return (text, info) => {
    let price: Price
    try {
      price = canonicalPrice(text)
    } catch (cause) {
      throw wrong(info, `${JSON.stringify(text)} is not a price; write decimal text such as 187.25`, cause)
    }
    const perToken = tokens === 1n ? price : unscalePrice(scalePrice(price) / tokens)
    if (perToken === '0') throw wrong(info, `the price is ${text}, it must be above 0`)
    return perToken
  }
}
