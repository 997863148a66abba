import type { JournalCheck } from './journalCheck.ts'
import { rowsOf } from './rowsOf.ts'

/** SQLite's own: pages, trees, indexes, and what refers to what. */
export const checkDatabase: readonly JournalCheck[] = [
  {
    table: '',
    *find(db) {
      for (const { integrity_check: what } of rowsOf<{ integrity_check: string }>(db, 'PRAGMA integrity_check'))
        if (what !== 'ok') for (const line of what.split('\n')) yield { row: '', what: `SQLite finds: ${line}` }
    },
  },
  {
    table: '',
    *find(db) {
      for (const { table, rowid, parent } of rowsOf<{ table: string; rowid: number | null; parent: string }>(
        db,
        'PRAGMA foreign_key_check',
      ))
        yield { row: `${table} ${rowid}`, what: `what it refers to is not in ${parent}` }
    },
  },
  {
    table: 'meta',
    *find(db) {
      if (
        db.prepare("SELECT 1 FROM meta WHERE key = 'agentId'").get() === undefined &&
        db.prepare('SELECT 1 FROM events').get() !== undefined
      )
        yield {
          row: 'agentId',
          what: 'whose journal it is is not known',
          todo: 'the bot that starts on it next makes it its own: see that it is the right one',
        }
    },
  },
]
