import type { Price } from '../../../core/price.ts'
import { csvTable } from './csvTable.ts'
import { exactPrice } from './exactPrice.ts'
import { fileFault } from './fault.ts'
import { fileTime, type TimeUnit } from './fileTime.ts'
import { type KnownAs, namedToken, tokenOfName } from './fileToken.ts'
import { jsonTable } from './jsonTable.ts'
import { openPriceFile } from './openPriceFile.ts'
import type { TextRecord, TextTable } from './records.ts'
import { shapeOf, type TableShape, type TimeOf } from './tableShape.ts'

export interface TableOptions {
  /** As the owner of the file names its token; else its name or its content says it. */
  readonly token?: string | undefined
  /** What its times are the times of, where it does not tell. */
  readonly timesAre?: TimeOf | undefined
  readonly mayRound?: boolean | undefined
}

/** A file whose rows are known to be prices. */
export interface ReadTable {
  readonly table: TextTable
  readonly shape: TableShape
  /** By the columns of `shape.prices`. */
  readonly tokens: readonly KnownAs[]
  /** It begins with its end, as pages of some APIs do. Such a file is held in memory. */
  readonly isNewestFirst: boolean
  readonly mayRound: boolean
}

export interface FileRow {
  /** Unix milliseconds, as the file has it. */
  readonly at: number
  readonly place: number
  /** By the columns of `shape.prices`; null: the cell is empty. */
  readonly prices: readonly (Price | null)[]
  readonly unit: TimeUnit
  /** Prices that had more decimals than a log holds. */
  readonly rounded: number
}

/** Opens a file, and says what is what in it. @throws CornermanError `PRICE_FILE_INVALID` */
export async function readTable(path: string, { token, timesAre, mayRound = false }: TableOptions): Promise<ReadTable> {
  const file = openPriceFile(path)
  const table = file.format === 'JSON' ? await jsonTable(file) : csvTable(file)
  const batch = await firstOf(table.records())
  const [first] = batch
  if (first === undefined)
    throw fileFault(path, ` has ${table.header === undefined ? 'no row' : 'a header and no row'}: it needs at least two`)
  const shape = shapeOf(table, first, timesAre)
  const read = { table, shape, tokens: tokensOf(path, shape, token), mayRound }
  const times = batch.map((record) => timeOf(read, record).ms)
  return { ...read, isNewestFirst: times.length > 1 && times.every((time, index) => index === 0 || time < (times[index - 1] ?? 0)) }
}

async function firstOf(batches: AsyncGenerator<readonly TextRecord[]>): Promise<readonly TextRecord[]> {
  for await (const batch of batches) return batch
  return []
}

function tokensOf(path: string, { prices, tokenSaid }: TableShape, named: string | undefined): readonly KnownAs[] {
  const own = prices.flatMap(({ token }) => token ?? [])
  if (own.length > 0) {
    if (named !== undefined)
      throw fileFault(path, ` names its tokens by its columns, ${prices.map(({ name }) => name).join(', ')}: leave --token out`)
    return own
  }
  if (named !== undefined) return [namedToken(path, named)]
  return [tokenSaid === undefined || tokenSaid === '' ? tokenOfName(path) : namedToken(path, tokenSaid)]
}

/** The rows of a file in the order of time, with every price to its last digit. @throws CornermanError `PRICE_FILE_INVALID` */
export async function* rowsOf(read: ReadTable, onBytes?: (bytes: number) => void): AsyncGenerator<readonly FileRow[]> {
  const batches = read.table.records(onBytes)
  if (!read.isNewestFirst) {
    for await (const batch of batches) yield batch.map((record) => rowOf(read, record))
    return
  }
  const rows: FileRow[] = []
  for await (const batch of batches) for (const record of batch) rows.push(rowOf(read, record))
  yield rows.reverse()
}

function rowOf(read: ReadTable, record: TextRecord): FileRow {
  const { table, shape, tokens, mayRound } = read
  const { cells, place } = record
  if (table.header !== undefined && cells.length !== table.header.length) {
    throw fault(
      read,
      place,
      `: has ${cells.length} cells, the header has ${table.header.length}; a row is cut off, or a cell has the ${table.delimiter} in it`,
    )
  }
  const { ms, unit } = timeOf(read, record)
  let rounded = 0
  const prices = shape.prices.map(({ index, name }, column) => {
    const text = cells[index] ?? ''
    if (text === '') return null
    const cell = exactPrice(text, { power: tokens[column]?.power ?? 0, mayRound })
    if ('problem' in cell) throw fault(read, place, `, column ${name}: ${cell.problem}`)
    if (cell.isRounded === true) rounded += 1
    return cell.price
  })
  return { at: ms, place, prices, unit, rounded }
}

function timeOf(read: Pick<ReadTable, 'table' | 'shape'>, { cells, place }: TextRecord): { readonly ms: number; readonly unit: TimeUnit } {
  const { index, name } = read.shape.time
  const text = cells[index] ?? ''
  const time = fileTime(text)
  if (time !== undefined) return time
  throw fault(
    read,
    place,
    `, column ${name}: ${JSON.stringify(text)} is no time: it must be Unix seconds, milliseconds or microseconds, as 1753099020, or ISO 8601, as 2025-07-21T11:57:00Z`,
  )
}

const fault = ({ table }: Pick<ReadTable, 'table'>, place: number, problem: string) =>
  fileFault(table.file.path, `, ${table.placeName} ${place}${problem}`, { [table.placeName]: place })
