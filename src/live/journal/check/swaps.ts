import { fillFault, swapFault } from '../rowFaults.ts'
import type { FillRow, SwapRow } from '../swapRows.ts'
import type { JournalCheck } from './journalCheck.ts'
import { rowsOf } from './rowsOf.ts'

const IS_SWAP = "CASE WHEN json_valid(action) THEN json_extract(action, '$.type') END IN ('swap', 'sweep')"

/** Swaps on their way, and those that were executed. */
export const checkSwaps: readonly JournalCheck[] = [
  {
    table: 'swaps',
    *find(db) {
      for (const row of rowsOf<SwapRow>(db, 'SELECT * FROM swaps')) {
        const fault = swapFault(row)
        if (fault !== undefined) yield { row: row.key, what: fault }
      }
      const strange = `SELECT key FROM swaps LEFT JOIN intents USING (key) WHERE action IS NULL OR NOT (${IS_SWAP})`
      for (const { key } of rowsOf<{ key: string }>(db, strange)) yield { row: key, what: 'no intent asks for it' }
    },
  },
  {
    table: 'fills',
    *find(db) {
      for (const row of rowsOf<FillRow>(db, 'SELECT * FROM fills')) {
        const fault = fillFault(row)
        if (fault !== undefined) yield { row: row.key, what: fault }
      }
      const open = "SELECT key FROM fills LEFT JOIN intents USING (key) WHERE status IS NOT 'filled'"
      for (const { key } of rowsOf<{ key: string }>(db, open)) yield { row: key, what: 'its intent is not filled' }
      const unfilled = "SELECT key FROM intents LEFT JOIN fills USING (key) WHERE status = 'filled' AND fills.key IS NULL"
      for (const { key } of rowsOf<{ key: string }>(db, unfilled))
        yield { row: key, what: 'its intent is filled, and what came of it is missing', todo: 'compare the contest with the wallet' }
    },
  },
]
