import { CsvError, type Options, parse } from 'csv-parse'
import { parse as parseAll } from 'csv-parse/sync'
import { messageOf } from '../../../core/error.ts'
import { fileFault } from './fault.ts'
import { fileTime } from './fileTime.ts'
import { asFault, type PriceFile, streamThrough } from './openPriceFile.ts'
import { BATCH, type TextRecord, type TextTable } from './records.ts'

const DELIMITERS = [',', ';', '\t', '|']
const COMMENT = '#'
const QUOTED = /"[^"]*"/g
const LINE_ENDS = /\r\n|\r|\n/
/** No row of prices is longer: what is not CSV ends in an error, and not in memory. */
const MOST_CHARACTERS = 1_000_000

interface CsvRow {
  readonly record: string[]
  readonly info: { readonly lines: number }
}

/** The rows of a CSV file. Its first row is a header where none of its cells but the first could be data. */
export function csvTable(file: PriceFile): TextTable {
  const first = firstRowOf(file.head)
  const delimiter = delimiterOf(first)
  const names = cellsOf(file, first, delimiter)
  const header = isHeader(names) ? names : undefined
  return {
    ...{ file, placeName: 'line', delimiter, header },
    records: (onBytes = () => {}) => recordsOf(file, { delimiter, skip: header === undefined ? 0 : 1, onBytes }),
  }
}

const firstRowOf = (head: string): string =>
  head.split(LINE_ENDS).find((line) => line.trim() !== '' && !line.trimStart().startsWith(COMMENT)) ?? ''

/** The one that parts a row most often. */
function delimiterOf(row: string): string {
  const bare = row.replace(QUOTED, '')
  const counts = DELIMITERS.map((delimiter) => ({ delimiter, count: bare.split(delimiter).length }))
  return counts.reduce((best, each) => (each.count > best.count ? each : best)).delimiter
}

function cellsOf(file: PriceFile, row: string, delimiter: string): string[] {
  try {
    return parseAll(row, { delimiter, trim: true, to: 1 })[0] ?? []
  } catch (thrown) {
    throw csvFault(file, thrown)
  }
}

const csvFault = ({ path }: PriceFile, thrown: unknown): unknown =>
  thrown instanceof CsvError ? fileFault(path, ` is not CSV: ${messageOf(thrown)}`, {}, thrown) : asFault(path, thrown)

/** Numbers and times are data. */
const isHeader = (cells: readonly string[]): boolean =>
  !cells.some((cell) => cell !== '' && (isNumber(cell) || fileTime(cell) !== undefined))
const isNumber = (cell: string): boolean => Number.isFinite(Number(cell))

interface ReadOptions {
  readonly delimiter: string
  /** Rows at the beginning. */
  readonly skip: number
  readonly onBytes: (bytes: number) => void
}

async function* recordsOf(file: PriceFile, { delimiter, skip, onBytes }: ReadOptions): AsyncGenerator<readonly TextRecord[]> {
  const options: Options = {
    ...{ delimiter, bom: true, info: true, trim: true, comment: COMMENT, comment_no_infix: true },
    ...{ skip_empty_lines: true, relax_column_count: true, max_record_size: MOST_CHARACTERS },
  }
  let batch: TextRecord[] = []
  let left = skip
  try {
    for await (const { record, info } of streamThrough(file, parse(options), onBytes) as AsyncIterable<CsvRow>) {
      if (left > 0) {
        left--
        continue
      }
      batch.push({ cells: record, place: info.lines })
      if (batch.length < BATCH) continue
      yield batch
      batch = []
    }
  } catch (thrown) {
    throw thrown instanceof CsvError ? fileFault(file.path, ` is not CSV: ${messageOf(thrown)}`, {}, thrown) : asFault(file.path, thrown)
  }
  if (batch.length > 0) yield batch
}
