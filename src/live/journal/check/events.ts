import { eventFault } from '../rowFaults.ts'
import { foldedOf } from './facts.ts'
import type { JournalCheck } from './journalCheck.ts'
import { rowsOf } from './rowsOf.ts'

interface EventRow {
  readonly position: number
  readonly n: number
  readonly raw: string
}

const field = (path: string) => `CASE WHEN json_valid(raw) THEN json_extract(raw, '${path}') END`

/** What the service told: without holes, in order, each event once, and the cursor past the last. */
export const checkEvents: readonly JournalCheck[] = [
  {
    table: 'events',
    *find(db) {
      // The oldest that are folded are gone, those of open contests apart.
      const folded = foldedOf(db)?.position ?? 0
      let [position, n] = [0, 0]
      for (const row of rowsOf<EventRow>(db, 'SELECT position, n, raw FROM events ORDER BY position')) {
        const fault = eventFault(row)
        if (fault !== undefined) yield { row: String(row.position), what: fault }
        if (row.position !== position + 1 && row.position > folded)
          yield { row: String(row.position), what: `the event before it is ${position}: some are missing` }
        if (row.n < n) yield { row: String(row.position), what: `it came with input ${row.n}, after one of input ${n}` }
        position = row.position
        n = row.n
      }
    },
  },
  {
    table: 'events',
    *find(db) {
      const sql = `SELECT min(position) AS first, max(position) AS last FROM events WHERE ${field('$.id')} IS NOT NULL GROUP BY ${field('$.id')} HAVING count(*) > 1`
      for (const { first, last } of rowsOf<{ first: number; last: number }>(db, sql))
        yield { row: String(last), what: `it is event ${first} once more, and counts twice` }
    },
  },
  {
    table: 'meta',
    *find(db) {
      // An event without an id has no cursor, and a page's own cursor may be of another form than its last event's id.
      const [cursor] = rowsOf<{ value: string }>(db, "SELECT value FROM meta WHERE key = 'cursor'")
      const [last] = rowsOf<{ id: string }>(
        db,
        `SELECT ${field('$.id')} AS id FROM events WHERE id IS NOT NULL ORDER BY position DESC LIMIT 1`,
      )
      if (cursor?.value === last?.id) return
      if (last === undefined) yield { row: 'cursor', what: 'it is past events that are not there' }
      else if (cursor === undefined) yield { row: 'cursor', what: 'it is missing although there are events' }
      else if (isOfAnEvent(cursor.value, last.id)) yield { row: 'cursor', what: 'it is not that of the last event' }
    },
  },
]

/** Ids of events are all of one form; a cursor of another is the service's own for a page. */
const isOfAnEvent = (cursor: string, id: string): boolean => formOf(cursor) === formOf(id)
const formOf = (text: string): string => text.replaceAll(/[0-9a-f]/gi, '0')
