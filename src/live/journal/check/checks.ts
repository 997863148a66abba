import { checkCustody } from './custody.ts'
import { checkDatabase } from './database.ts'
import { checkEvents } from './events.ts'
import { checkFacts } from './facts.ts'
import { checkIntents } from './intents.ts'
import type { JournalCheck } from './journalCheck.ts'
import { checkModes } from './modes.ts'
import { checkSums } from './sums.ts'
import { checkSwaps } from './swaps.ts'

/** What is asked of a journal, in this order; of a file that is no database any more only the first gets an answer. */
export const CHECKS: readonly JournalCheck[] = [
  ...checkDatabase,
  ...checkSums,
  ...checkCustody,
  ...checkEvents,
  ...checkFacts,
  ...checkIntents,
  ...checkSwaps,
  ...checkModes,
]
