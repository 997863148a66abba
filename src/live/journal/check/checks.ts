import type { DatabaseSync } from 'node:sqlite'
import { checkCustody } from './custody.ts'
import { checkDatabase } from './database.ts'
import { checkEvents } from './events.ts'
import { checkFacts } from './facts.ts'
import { checkIntents } from './intents.ts'
import { checkSums } from './sums.ts'
import { checkSwaps } from './swaps.ts'

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

/** What is asked of a journal, in this order; of a file that is no database any more only the first gets an answer. */
export const CHECKS: readonly JournalCheck[] = [
  ...checkDatabase,
  ...checkSums,
  ...checkCustody,
  ...checkEvents,
  ...checkFacts,
  ...checkIntents,
  ...checkSwaps,
]
