import { PassThrough } from 'node:stream'
import { messageOf } from '../../../core/error.ts'
import { fileFault } from './fault.ts'
import { asFault, type PriceFile, streamThrough } from './openPriceFile.ts'
import { BATCH, type TextRecord, type TextTable } from './records.ts'

/** Outside strings, JSON has digits in numbers alone. */
const STRINGS_AND_NUMBERS = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g
/** Files of rows are read piece by piece; what has its rows inside an object comes from an API, page by page. */
const MOST_IN_OBJECT = 256 * 1024 ** 2
/** Where APIs put their rows: CoinGecko, Birdeye, GeckoTerminal, and others. */
const PLACES: readonly (readonly string[])[] = [
  ['prices'],
  ['data', 'items'],
  ['data', 'attributes', 'ohlcv_list'],
  ['data', 'prices'],
  ['data'],
  ['items'],
  ['candles'],
]

/** In a piece of the file, and so of no use. */
const PLACE = / in JSON at position .*$/

type Row = readonly unknown[] | Readonly<Record<string, unknown>>

/** The rows of a JSON file: arrays, or objects whose fields are named as the columns of a CSV are. */
export async function jsonTable(file: PriceFile): Promise<TextTable> {
  const isList = file.head.trimStart().startsWith('[')
  const rows = isList ? (onBytes: (bytes: number) => void) => listedRows(file, onBytes) : await rowsInside(file)
  const first = await firstOf(rows)
  const header = first === undefined || Array.isArray(first) ? undefined : Object.keys(first)
  return {
    ...{ file, placeName: 'row', header },
    records: (onBytes = () => {}) => recordsOf(rows(onBytes), header),
  }
}

async function firstOf(rows: (onBytes: (bytes: number) => void) => AsyncGenerator<readonly Row[]>): Promise<Row | undefined> {
  for await (const [row] of rows(() => {})) if (row !== undefined) return row
  return undefined
}

async function* recordsOf(
  pieces: AsyncGenerator<readonly Row[]>,
  header: readonly string[] | undefined,
): AsyncGenerator<readonly TextRecord[]> {
  let place = 0
  for await (const rows of pieces) {
    yield rows.map((row) => {
      place += 1
      const cells = Array.isArray(row) ? row : (header ?? []).map((name) => (row as Readonly<Record<string, unknown>>)[name] ?? '')
      return { place, cells: cells.map(textOf) }
    })
  }
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : value === null ? 'null' : JSON.stringify(value))

/** JSON whose numbers are texts, as they stand there: a number of JavaScript's would not hold all of their digits. */
const parsed = (text: string): unknown =>
  JSON.parse(text.replace(STRINGS_AND_NUMBERS, (token) => (token.startsWith('"') ? token : `"${token}"`)))

/** A list, read piece by piece: each goes up to the last row that is whole. */
async function* listedRows(file: PriceFile, onBytes: (bytes: number) => void): AsyncGenerator<readonly Row[]> {
  const closing = /^\s*\[\s*\{/.test(file.head) ? '}' : ']'
  const end = new RegExp(`\\${closing}\\s*,`, 'g')
  let text = ''
  let isFirst = true
  for await (const chunk of chunksOf(file, onBytes)) {
    text += chunk
    if (isFirst) text = text.trimStart().replace(/^\uFEFF?\s*\[/, '')
    isFirst = false
    const cut = endOfRows(text, closing, end)
    if (cut < 0) continue
    yield* batchesOf(file, `[${text.slice(0, cut + 1)}]`)
    text = text.slice(text.indexOf(',', cut) + 1)
  }
  yield* batchesOf(file, `[${text}`)
}

/** Where the last row that another follows is closed; -1: nowhere. */
function endOfRows(text: string, closing: string, end: RegExp): number {
  for (let cut = text.lastIndexOf(closing); cut > 0; cut = text.lastIndexOf(closing, cut - 1)) {
    end.lastIndex = cut
    if (end.exec(text)?.index === cut) return cut
  }
  return -1
}

function* batchesOf(file: PriceFile, text: string): Generator<readonly Row[]> {
  const rows = rowsOf(file, text)
  for (let from = 0; from < rows.length; from += BATCH) yield rows.slice(from, from + BATCH)
}

function rowsOf(file: PriceFile, text: string): readonly Row[] {
  const rows = jsonOf(file, text)
  const odd = Array.isArray(rows) ? rows.find((row) => typeof row !== 'object' || row === null) : rows
  if (odd !== undefined)
    throw fileFault(
      file.path,
      ` has ${JSON.stringify(odd).slice(0, 80)} among its rows: a row is [1753099020000, open, high, low, close, volume]`,
    )
  return rows as Row[]
}

function jsonOf(file: PriceFile, text: string): unknown {
  try {
    return parsed(text)
  } catch (thrown) {
    throw fileFault(
      file.path,
      ` is not JSON: ${messageOf(thrown).replace(PLACE, '')}; a file that was cut short is to be fetched again`,
      {},
      thrown,
    )
  }
}

async function rowsInside(file: PriceFile): Promise<() => AsyncGenerator<readonly Row[]>> {
  if (file.bytes > MOST_IN_OBJECT)
    throw fileFault(file.path, ' has its rows inside an object and is over 256 MB: make a list of the rows alone')
  let text = ''
  for await (const chunk of chunksOf(file, () => {})) text += chunk
  const whole = jsonOf(file, text.replace(/^\uFEFF/, ''))
  const rows = PLACES.map((path) =>
    path.reduce<unknown>((value, name) => (value as Record<string, unknown> | undefined)?.[name], whole),
  ).find(Array.isArray)
  if (rows === undefined) {
    const places = PLACES.map((path) => path.join('.')).join(', ')
    throw fileFault(
      file.path,
      ` is a JSON object with the fields ${Object.keys(whole as object).join(', ')}: no list of rows was found in any of ${places}`,
    )
  }
  return async function* () {
    for (let from = 0; from < rows.length; from += BATCH) yield rows.slice(from, from + BATCH) as Row[]
  }
}

async function* chunksOf(file: PriceFile, onBytes: (bytes: number) => void): AsyncGenerator<string> {
  try {
    const stream = streamThrough(file, new PassThrough(), onBytes).setEncoding('utf8')
    for await (const chunk of stream) yield chunk as string
  } catch (thrown) {
    throw asFault(file.path, thrown)
  }
}
