import type { CornermanError } from '../../../core/error.ts'
import { fileFault } from './fault.ts'
import type { TextRecord, TextTable } from './records.ts'

const MOST_SHOWN = 120

const CANDLES = 'timestamp,open,high,low,close,volume\n  1753099020,191.87,192.01,191.5,191.93,12345.6'
const WIDE = 'ts,SOL,JUP\n  1753099020,191.87,0.5312'
const LISTED = '[[1753099020000,191.87,192.01,191.5,191.93,12345.6],…]'
const NAMED = '[{"timestamp":1753099020,"close":191.93},…]'

/** A table that is not one of prices: what was looked for, what was found, and an example of what is nearest to it. */
export function notPrices(table: TextTable, first: TextRecord): CornermanError {
  const { file, header, placeName, delimiter } = table
  const found =
    header === undefined
      ? `no names, and in ${placeName} ${first.place} ${cut(first.cells.join(delimiter ?? ','))} (${cellCount(first.cells.length, delimiter)})`
      : `the names ${cut(header.join(delimiter ?? ','))} (${cellCount(header.length, delimiter)})`
  return fileFault(
    file.path,
    ` is not a file of prices. Looked for: a time (a column called timestamp, date, time, ts, open_time or unixTime) with a price (close, c, price or value), or with columns that are called as tokens are, as SOL or a mint. Found: ${found}. The nearest that is read:\n  ${nearest(table, first)}`,
    { found: header ?? first.cells },
  )
}

function cellCount(count: number, delimiter: string | undefined): string {
  const parted = delimiter === undefined ? '' : `, parted by ${NAMES[delimiter] ?? delimiter}`
  return count === 1 ? `one column: neither comma, semicolon, tab nor bar parts it` : `${count} columns${parted}`
}

const NAMES: Readonly<Record<string, string>> = { ',': 'comma', ';': 'semicolon', '\t': 'tab', '|': 'bar' }

function nearest({ file, header }: TextTable, { cells }: TextRecord): string {
  if (file.format === 'JSON') return header === undefined ? LISTED : NAMED
  return (header ?? cells).some((name) => /^[A-Z]{2,10}$/.test(name)) ? WIDE : CANDLES
}

const cut = (text: string): string => JSON.stringify(text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN)}…` : text)
