import { type CustodyFields, custodyFault, isCustodyStatus } from '../rowFaults.ts'
import type { JournalCheck } from './journalCheck.ts'
import { rowsOf } from './rowsOf.ts'

const BY_HAND = 'no repair can mend it, and its reveal will be refused: see what the service says of the contest'

/** Predictions: what is to be revealed has to be what was committed to. */
export const checkCustody: readonly JournalCheck[] = [
  {
    table: 'custody',
    *find(db) {
      for (const row of rowsOf<CustodyFields>(db, 'SELECT contest_id, entry_id, price, salt, commitment, status FROM custody')) {
        const fault = custodyFault(row)
        if (fault !== undefined) yield { row: row.contest_id, what: fault, todo: BY_HAND }
        if (!isCustodyStatus(row.status)) yield { row: row.contest_id, what: 'status is none of those there are' }
      }
    },
  },
]
