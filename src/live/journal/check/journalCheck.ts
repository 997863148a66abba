import type { DatabaseSync } from 'node:sqlite'

/** Something wrong with a row, or with a table (an empty `row`). */
export interface Fault {
  readonly row: string
  /** Never what stands there. */
  readonly what: string
  /** Where it is not `logs repair`. */
  readonly todo?: string
}

export interface JournalCheck {
  /** Empty: the file as a whole. */
  readonly table: string
  find(db: DatabaseSync): Iterable<Fault>
}
