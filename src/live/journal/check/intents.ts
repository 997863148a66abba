import { type IntentFields, intentFault, isIntentStatus } from '../rowFaults.ts'
import type { JournalCheck } from './journalCheck.ts'
import { rowsOf } from './rowsOf.ts'

/** What was asked of the service, and what became of it. */
export const checkIntents: readonly JournalCheck[] = [
  {
    table: 'intents',
    *find(db) {
      for (const row of rowsOf<IntentFields>(db, 'SELECT key, at, action, stake, risk, status FROM intents')) {
        const fault = intentFault(row)
        if (fault !== undefined) yield { row: row.key, what: fault }
        if (!isIntentStatus(row.status)) yield { row: row.key, what: 'status is none of those there are' }
      }
    },
  },
]
