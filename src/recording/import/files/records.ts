import type { PriceFile } from './openPriceFile.ts'

/** One row of a file, as texts. */
export interface TextRecord {
  readonly cells: readonly string[]
  /** Where it stands: a line of CSV, from 1, or the place of a row in JSON, from 1. */
  readonly place: number
}

/** What a file's rows are, before it is known which of their cells is what. */
export interface TextTable {
  readonly file: PriceFile
  /** What places count. */
  readonly placeName: 'line' | 'row'
  /** CSV: between the cells. */
  readonly delimiter?: string
  /** The names of the cells, where the file has them. */
  readonly header?: readonly string[] | undefined
  /** The rows without the header, from the first on, as often as asked for. */
  records(onBytes?: (bytes: number) => void): AsyncGenerator<readonly TextRecord[]>
}

/** Records handed on at a time. */
export const BATCH = 512
