/** What a column holds: `time` is Unix milliseconds; `number` has its exact text in a column of its own. */
export type ColumnType = 'time' | 'count' | 'number' | 'text'

export interface TableShape {
  /** Of the file, without its ending. */
  readonly name: string
  readonly columns: Readonly<Record<string, ColumnType>>
}

/** One value a column, in the order of the columns; null where there is none. */
export type Row = readonly (string | number | null)[]

/** A file that takes a table row by row. */
export interface TableFile {
  readonly path: string
  write(row: Row): void
  close(): void
  /** Takes it away again. */
  discard(): void
}

const PLACE = { n: 'count', at: 'time' } as const

export const PRICES: TableShape = {
  name: 'prices',
  columns: { at: 'time', tick: 'count', mint: 'text', symbol: 'text', price: 'text', value: 'number' },
}
export const DECISIONS: TableShape = {
  name: 'decisions',
  columns: { ...PLACE, type: 'text', strategy: 'text', key: 'text', detail: 'text' },
}
export const EVENTS: TableShape = { name: 'events', columns: { ...PLACE, type: 'text', detail: 'text' } }
