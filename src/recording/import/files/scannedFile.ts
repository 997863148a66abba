import type { Mint } from '../../../core/tokens.ts'
import type { ReadTable, TableOptions } from './readTable.ts'
import type { FileFindings, WhichDuplicate } from './scanFile.ts'

/** Unix milliseconds of the first price of a token and of the last. */
export interface Span {
  readonly from: number
  readonly until: number
}

export interface PriceFilesOptions extends Omit<TableOptions, 'token'> {
  /** By file, in their order, where their names do not say them. */
  readonly tokens?: readonly string[] | undefined
  /** Which of several rows of one time counts; undefined: there may be none. */
  readonly duplicates?: WhichDuplicate | undefined
  /** What is done about prices of ten times their neighbours, or a tenth; undefined: there may be none. */
  readonly outliers?: 'keep' | 'drop' | undefined
  /** The longest time without a price, in milliseconds; undefined: an hour, or ten periods where that is more. */
  readonly maxHoleMs?: number | undefined
  /** By token, what a log has that the files extend: a time between the two without a price is a hole. */
  readonly beside?: ReadonlyMap<Mint, Span> | undefined
  /** Told now and then how many bytes were read, of how many. */
  readonly onProgress?: ((bytes: number, total: number) => void) | undefined
}

/** A file that was gone through. */
export interface ScannedFile extends FileFindings {
  readonly read: ReadTable
  /** What is added to its times: a period, where they are those of the beginnings of candles. */
  readonly shiftMs: number
}
