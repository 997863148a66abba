import { ALTERED } from '../rows.ts'
import { isSound, type SummedTable } from '../sums.ts'
import type { JournalCheck } from './checks.ts'
import { rowsOf } from './rowsOf.ts'

const KEYS: Readonly<Record<SummedTable, string>> = {
  custody: 'contest_id',
  intents: 'key',
  swaps: 'key',
  fills: 'key',
  contests: 'contest_id',
  facts: 'name',
}

/** Each row against its own checksum: no other row need contradict it. */
export const checkSums: readonly JournalCheck[] = (Object.keys(KEYS) as SummedTable[]).map((table) => ({
  table,
  *find(db) {
    for (const { row } of rowsOf<{ row: string }>(db, `SELECT ${KEYS[table]} AS row FROM ${table} WHERE NOT (${isSound(table)})`))
      yield { row, what: ALTERED }
  },
}))
