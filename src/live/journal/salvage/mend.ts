import type { DatabaseSync } from 'node:sqlite'
import { encodeExact } from '../../../core/exactJson.ts'
import { checkFacts, foldedOf } from '../check/facts.ts'
import {
  type CustodyFields,
  custodyFault,
  eventFault,
  fillFault,
  type IntentFields,
  intentFault,
  isCustodyStatus,
  isIntentStatus,
  swapFault,
} from '../rowFaults.ts'
import { ALTERED } from '../rows.ts'
import { isSound, ROW_KEYS, sumOf } from '../sums.ts'
import { type FillRow, fillOf, type SwapRow } from '../swapRows.ts'

/** What a repair did about one thing, or could not do. */
export interface JournalMending {
  readonly table: string
  /** Its key, or its place; empty where it is about the table as a whole. */
  readonly row: string
  readonly what: string
  readonly done: string
}

const IS_OPEN = "status IN ('pending', 'unknown')"

/** Makes a whole of the rows that were gathered: what is owed first, then what was told, asked for and done. */
export function mend(db: DatabaseSync, isTorn: boolean): JournalMending[] {
  const altered = alteredRows(db)
  const mendings = [
    ...mendFacts(db),
    ...mendCustody(db),
    ...mendEvents(db),
    ...mendSwaps(db),
    ...mendFills(db),
    ...mendIntents(db),
    ...(isTorn ? whatMayBeLost(db) : []),
  ]
  for (const table of SUMS) db.exec(`UPDATE ${table} SET sum = ${sumOf(table)} WHERE NOT (${isSound(table)})`)
  // Whatever else is said of a row says more.
  const isSaid = ({ table, row }: JournalMending) => mendings.some((mending) => mending.table === table && mending.row === row)
  return [...altered.filter((mending) => !isSaid(mending)), ...mendings]
}

const SUMS = ['custody', 'intents', 'swaps', 'fills', 'contests'] as const

/** A row that is not what was written is all there is of it: it is kept as it is, and said. Of older versions rows have no checksum. */
const alteredRows = (db: DatabaseSync): JournalMending[] =>
  SUMS.flatMap((table) => {
    const rows = all<{ row: string }>(
      db,
      `SELECT ${ROW_KEYS[table]} AS row FROM ${table} WHERE sum IS NOT NULL AND NOT (${isSound(table)})`,
    )
    return rows.map(({ row }) => ({
      table,
      row,
      what: ALTERED,
      done: 'kept as it is: compare it with what the service and the wallet say',
    }))
  })

/** What is folded can be folded again, where all of it is there; where it is not, the service tells it. */
function mendFacts(db: DatabaseSync): JournalMending[] {
  const isThere = db.prepare("SELECT 1 FROM facts WHERE name = 'past'").get() !== undefined
  const first = all<{ position: number | null }>(db, 'SELECT min(position) AS position FROM events')[0]?.position ?? 1
  const contradicted = isThere && checkFacts.some(({ find }) => !find(db)[Symbol.iterator]().next().done)
  const isNeeded = first !== 1 || db.prepare('SELECT 1 FROM contests').get() !== undefined
  if (!contradicted && (isThere || !isNeeded)) return []
  db.exec("DELETE FROM facts WHERE name = 'past'; DELETE FROM contests")
  const what = isThere ? 'what is folded cannot be read, or contradicts its rows' : 'what was folded is lost'
  if (first === 1) return [{ table: 'facts', row: 'past', what, done: 'dropped: the next start folds it again' }]
  db.exec("DELETE FROM events; DELETE FROM meta WHERE key = 'cursor'")
  const done = 'dropped with the events: the bot has the service tell it everything again, before it asks any strategy'
  return [{ table: 'facts', row: 'past', what, done }]
}

/** No row of custody is ever dropped: a salt that does not seem to fit may be all there is to reveal with. */
function mendCustody(db: DatabaseSync): JournalMending[] {
  const mendings: JournalMending[] = []
  const setStatus = db.prepare("UPDATE custody SET status = 'committed' WHERE contest_id = ?")
  for (const row of all<CustodyFields>(db, 'SELECT * FROM custody')) {
    const of = { table: 'custody', row: row.contest_id }
    const fault = custodyFault(row)
    if (fault !== undefined) mendings.push({ ...of, what: fault, done: 'kept as it is: its reveal will be refused' })
    if (isCustodyStatus(row.status)) continue
    setStatus.run(row.contest_id)
    mendings.push({ ...of, what: 'status is none', done: 'taken as committed: its reveal is tried' })
  }
  return mendings
}

/** Only an unbroken beginning is kept: the service tells the rest again, in its order. */
function mendEvents(db: DatabaseSync): JournalMending[] {
  const mendings: JournalMending[] = []
  const ids = new Set<unknown>()
  const doubles: number[] = []
  const folded = foldedOf(db)?.position ?? 0
  let whole = 0
  let cursor: string | undefined
  for (const row of db.prepare('SELECT position, raw FROM events ORDER BY position').iterate()) {
    const event = row as unknown as { position: number; raw: string }
    const isBroken = eventFault(event) !== undefined
    if (event.position > folded && (isBroken || event.position !== Math.max(whole, folded) + 1)) break
    whole = event.position
    // It is counted already, and nobody reads it again.
    if (isBroken) continue
    const id = (JSON.parse(event.raw) as { id?: unknown } | null)?.id
    if (typeof id !== 'string') continue
    if (ids.has(id)) doubles.push(event.position)
    else cursor = id
    ids.add(id)
  }
  const { changes } = db.prepare('DELETE FROM events WHERE position > ?').run(whole)
  const again = 'the bot has the service tell it everything from there again, before it asks any strategy'
  if (Number(changes) > 0) {
    mendings.push({
      table: 'events',
      row: String(whole + 1),
      what: 'it is missing or cannot be read',
      done: `it and ${changes} after it dropped: ${again}`,
    })
  }
  // What is counted twice is folded twice.
  if (doubles.some((position) => position <= folded)) db.exec("DELETE FROM facts WHERE name = 'past'; DELETE FROM contests")
  for (const [index, position] of doubles.entries()) {
    db.prepare('DELETE FROM events WHERE position = ?').run(position - index)
    db.prepare('UPDATE events SET position = position - 1 WHERE position > ?').run(position - index)
    mendings.push({ table: 'events', row: String(position), what: 'its id was there already', done: 'dropped: it counted twice' })
  }
  const before = all<{ value: string }>(db, "SELECT value FROM meta WHERE key = 'cursor'")[0]?.value
  if (before === cursor) return mendings
  db.exec("DELETE FROM meta WHERE key = 'cursor'")
  if (cursor !== undefined) db.prepare("INSERT INTO meta VALUES ('cursor', ?)").run(cursor)
  mendings.push({
    table: 'meta',
    row: 'cursor',
    what: 'it is not that of the last event',
    done: `set to ${cursor ?? 'the beginning'}: ${again}`,
  })
  return mendings
}

function mendSwaps(db: DatabaseSync): JournalMending[] {
  return all<SwapRow & { intent: string | null }>(
    db,
    'SELECT swaps.*, intents.key AS intent FROM swaps LEFT JOIN intents USING (key) LEFT JOIN fills USING (key) WHERE fills.key IS NULL',
  ).flatMap((row) => {
    const fault = swapFault(row) ?? (row.intent === null ? 'the intent it belongs to is lost' : undefined)
    if (fault === undefined) return []
    db.prepare('DELETE FROM swaps WHERE key = ?').run(row.key)
    return {
      table: 'swaps',
      row: row.key,
      what: fault,
      done: `dropped: look in the wallet${row.signature === null ? '' : ` for ${row.signature}`}`,
    }
  })
}

/** A fill is money that moved: where its intent is lost, it says enough to write that anew. */
function mendFills(db: DatabaseSync): JournalMending[] {
  const mendings: JournalMending[] = []
  const addIntent = db.prepare(
    "INSERT INTO intents (key, n, at, action, stake, risk, status, settled_at) VALUES (?, ?, ?, ?, ?, '0', 'filled', ?)",
  )
  const fills = all<FillRow & { status: string | null }>(
    db,
    'SELECT fills.*, intents.status AS status FROM fills LEFT JOIN intents USING (key) ORDER BY position',
  )
  for (const row of fills) {
    const of = { table: 'fills', row: row.key }
    const fault = fillFault(row)
    if (fault !== undefined) {
      db.prepare('DELETE FROM fills WHERE key = ?').run(row.key)
      mendings.push({ ...of, what: fault, done: 'dropped: the figures of its contest lack it' })
    } else if (row.status === null) {
      const { key, at, contestId, from, to, given } = fillOf(row)
      const action = { type: 'swap', contestId, from, to, amount: given } as const
      addIntent.run(key, Number.parseInt(key, 10) || 0, at, encodeExact(action), given.toString(), at)
      mendings.push({ ...of, what: 'the intent it belongs to is lost', done: 'that intent was written anew' })
    } else if (row.status !== 'filled') {
      db.prepare("UPDATE intents SET status = 'filled', settled_at = ? WHERE key = ?").run(row.at, row.key)
      mendings.push({
        ...of,
        what: `its intent is ${isIntentStatus(row.status) ? row.status : 'of no status'}`,
        done: 'that intent was set to filled',
      })
    }
  }
  return mendings
}

function mendIntents(db: DatabaseSync): JournalMending[] {
  return all<IntentFields>(db, 'SELECT * FROM intents').flatMap((row) => {
    const of = { table: 'intents', row: row.key }
    const fault = intentFault(row)
    if (fault !== undefined) {
      for (const table of ['swaps', 'fills', 'intents']) db.prepare(`DELETE FROM ${table} WHERE key = ?`).run(row.key)
      return { ...of, what: fault, done: 'dropped: what it made is known from the service' }
    }
    if (isIntentStatus(row.status)) return []
    db.prepare("UPDATE intents SET status = 'unknown' WHERE key = ?").run(row.key)
    return { ...of, what: 'status is none', done: 'taken as unknown: it is looked up' }
  })
}

/** Of rows that are gone, the others tell: what a person has to look after, since the bot cannot. */
function whatMayBeLost(db: DatabaseSync): JournalMending[] {
  const predictions = all<{ contest: string }>(
    db,
    `SELECT DISTINCT json_extract(action, '$.contestId') AS contest FROM intents
     WHERE json_extract(action, '$.type') = 'commitPrediction' AND status NOT IN ('rejected', 'notSent', 'absent', 'notTaken', 'lostRace')
       AND contest NOT IN (SELECT contest_id FROM custody)`,
  )
  const swaps = all<{ key: string }>(
    db,
    `SELECT key FROM intents WHERE ${IS_OPEN} AND json_extract(action, '$.type') IN ('swap', 'sweep') AND key NOT IN (SELECT key FROM swaps)`,
  )
  return [
    ...predictions.map(({ contest }) => ({
      ...{ table: 'custody', row: contest, what: 'the price and salt of its prediction are lost' },
      done: 'nothing can be done: it cannot be revealed',
    })),
    ...swaps.map(({ key }) => ({
      ...{ table: 'swaps', row: key, what: 'there is no transaction of this open swap: it was never sent, or it is lost' },
      done: 'the bot takes it as never sent: look in the wallet',
    })),
  ]
}

/** Rows of our own statements on our own tables. */
function all<T>(db: DatabaseSync, sql: string): T[] {
  return db.prepare(sql).all() as T[]
}
