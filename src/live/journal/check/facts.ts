import type { DatabaseSync } from 'node:sqlite'
import { messageOf } from '../../../core/error.ts'
import { type Folded, readFolded } from '../folder.ts'
import type { Fault, JournalCheck } from './journalCheck.ts'
import { rowsOf } from './rowsOf.ts'

/** What is folded, where it can be read: how far that goes is asked by other checks, too. */
export function foldedOf(db: DatabaseSync): Folded | undefined {
  try {
    return readFolded(db)
  } catch {
    return undefined
  }
}

const AGAIN = 'logs repair drops what is folded, and the next start folds it again from what there is'

/** What is folded against what it was folded from: rows of contests, which stay, and the events that are still there. */
export const checkFacts: readonly JournalCheck[] = [
  {
    table: 'facts',
    *find(db) {
      try {
        const folded = readFolded(db)
        if (folded !== undefined) yield* contradictions(db, folded)
      } catch (thrown) {
        // One whose checksum does not fit was said by that.
        const row = db.prepare("SELECT 1 FROM facts WHERE name = 'past'").get()
        if (row !== undefined) yield { row: 'past', what: `it cannot be read (${messageOf(thrown)})`, todo: AGAIN }
      }
    },
  },
]

interface Sums {
  readonly mode: string
  readonly result: string
  readonly contests: number
  readonly profit: number
}

function* contradictions(db: DatabaseSync, { position, past }: Folded): Generator<Fault> {
  const sums = [...rowsOf<Sums>(db, 'SELECT mode, result, sum(contests) AS contests, sum(profit) AS profit FROM sums GROUP BY 1, 2')]
  for (const { mode, results, profit } of past.byMode) {
    const of = sums.filter((sum) => sum.mode === mode && sum.result !== 'CANCELLED')
    const counted = of.reduce((sum, { contests }) => sum + contests, 0)
    const settled = results.WIN + results.LOSS + results.DRAW + results.REFUND
    if (counted !== settled) yield { row: 'past', what: `of ${mode} it has ${settled} contests, their rows are ${counted}`, todo: AGAIN }
    const sum = of.reduce((total, each) => total + BigInt(each.profit), 0n)
    if (sum !== profit) yield { row: 'past', what: `of ${mode} its profit is not that of the contests' rows`, todo: AGAIN }
  }
  const raw = (path: string) => `json_extract(raw, '${path}')`
  // A service that settles a contest twice says two things: the first of them stands.
  const strange = `SELECT min(position) AS position FROM events LEFT JOIN contests ON contest_id = ${raw('$.data.contestId')}
    WHERE position <= ${position} AND json_valid(raw) AND ${raw('$.type')} = 'contest.settled' GROUP BY ${raw('$.data.contestId')}
    HAVING max(result IS ${raw('$.data.result')} AND profit IS CAST(${raw('$.data.profit')} AS TEXT)) = 0`
  for (const event of rowsOf<{ position: number }>(db, strange))
    yield { row: 'past', what: `event ${event.position} is folded in, and says something else than the row of its contest`, todo: AGAIN }
  const last = db.prepare('SELECT max(position) AS last FROM events').get()?.last
  if (Number(last ?? 0) < position)
    yield { row: 'past', what: `it goes up to event ${position}, and the last one there is ${last ?? 0}`, todo: AGAIN }
}
