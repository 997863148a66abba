import { ALTERED } from '../rows.ts'
import { isSound, ROW_KEYS, type SummedTable } from '../sums.ts'
import type { JournalCheck } from './journalCheck.ts'
import { rowsOf } from './rowsOf.ts'

/** Each row against its own checksum: no other row need contradict it. */
export const checkSums: readonly JournalCheck[] = (Object.keys(ROW_KEYS) as SummedTable[]).map((table) => ({
  table,
  *find(db) {
    for (const { row } of rowsOf<{ row: string }>(db, `SELECT ${ROW_KEYS[table]} AS row FROM ${table} WHERE NOT (${isSound(table)})`))
      yield { row, what: ALTERED }
  },
}))
