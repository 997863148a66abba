import { type ModeRow, modeFault, modeOf } from '../modeRows.ts'
import type { JournalCheck } from './journalCheck.ts'
import { rowsOf } from './rowsOf.ts'

/** What closed a mode: where nobody can say it any more, it stays closed. */
export const checkModes: readonly JournalCheck[] = [
  {
    table: 'modes',
    *find(db) {
      for (const row of rowsOf<ModeRow>(db, 'SELECT mode, numbers FROM modes'))
        if (modeOf(row) === undefined) yield { row: row.mode, what: 'it is not what was written', todo: modeFault(row) }
    },
  },
]
