import { DatabaseSync } from 'node:sqlite'
import { CornermanError, messageOf } from '../core/error.ts'
import { decodeExact, encodeExact } from '../core/exactJson.ts'
import type { Claim, Custody, Intent, IntentStatus, Journal, JournalContents, JournalRecord } from '../pipeline/index.ts'
import { readAction } from '../strategy/action.ts'
import { type FillRow, fillOf, rowOfFill, rowOfSwap, type SwapRow, swapOf } from './swapRows.ts'

const BUSY_TIMEOUT_MS = 1000

/** One step for every version: what turns the one before into it. A file is brought up to the newest when it is opened. */
const MIGRATIONS = [
  `
  CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
  CREATE TABLE events (position INTEGER PRIMARY KEY, n INTEGER NOT NULL, at INTEGER NOT NULL, raw TEXT NOT NULL, problem TEXT) STRICT;
  CREATE TABLE intents (
    key TEXT PRIMARY KEY, n INTEGER NOT NULL, at INTEGER NOT NULL, action TEXT NOT NULL, stake TEXT NOT NULL,
    status TEXT NOT NULL, made TEXT, detail TEXT, settled_at INTEGER
  ) STRICT;
  CREATE INDEX intents_open ON intents (status) WHERE status IN ('pending', 'unknown');
  CREATE TABLE custody (
    contest_id TEXT PRIMARY KEY, entry_id TEXT NOT NULL, price TEXT NOT NULL, salt TEXT NOT NULL, commitment TEXT NOT NULL,
    status TEXT NOT NULL, at INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE refusals (code TEXT PRIMARY KEY, count INTEGER NOT NULL) STRICT;
`,
  `
  ALTER TABLE intents ADD COLUMN risk TEXT;
  UPDATE intents SET risk = stake;
  CREATE TABLE swaps (
    key TEXT PRIMARY KEY REFERENCES intents (key), wallet TEXT NOT NULL, tx TEXT NOT NULL, last_valid_block_height INTEGER NOT NULL,
    sent_at INTEGER NOT NULL, given TEXT NOT NULL, quoted_out TEXT NOT NULL, min_out TEXT NOT NULL, signature TEXT,
    total_before TEXT, gas_before TEXT, profit_before TEXT
  ) STRICT;
  CREATE TABLE fills (
    position INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE REFERENCES intents (key), contest_id TEXT NOT NULL, signature TEXT,
    at INTEGER NOT NULL, mint_from TEXT NOT NULL, mint_to TEXT NOT NULL, given TEXT NOT NULL, received TEXT NOT NULL,
    fee_lamports TEXT NOT NULL, source TEXT NOT NULL
  ) STRICT;
`,
]
const SCHEMA_VERSION = MIGRATIONS.length

/**
 * One bot's journal: what it was told, asked for, promised and owes. Everything one input changes is
 * one transaction, on disk (`synchronous = FULL`) before anything of it is sent (law 4).
 */
export class SqliteJournal implements Journal {
  readonly #db: DatabaseSync
  readonly #statements: ReturnType<typeof prepare>

  /**
   * @param file a path, or `:memory:`
   * @param agentId the agent it is of: the journal of another is refused
   * @throws CornermanError `JOURNAL_IN_USE`, `JOURNAL_UNREADABLE`, `JOURNAL_NEWER` or `JOURNAL_OF_ANOTHER_AGENT`
   */
  constructor(file: string, agentId: string) {
    this.#db = open(file)
    try {
      const isNew = migrate(this.#db, file)
      this.#statements = prepare(this.#db)
      const owner = isNew ? undefined : this.#meta('agentId')
      if (owner === undefined) this.#statements.setMeta.run('agentId', agentId)
      else if (owner !== agentId) throw ofAnother(file, owner, agentId)
    } catch (thrown) {
      this.#db.close()
      throw thrown
    }
  }

  load(): JournalContents {
    const { pendingIntents, openCustody, claimed, openSwaps, fills, counts, rejectedSwaps, revealCounts, refusalCount, lastInput, events } =
      this.#statements
    const tally = new Map(rows<{ status: string; count: number }>(counts.all()).map(({ status, count }) => [status, count]))
    const reveals = new Map(rows<{ status: string; count: number }>(revealCounts.all()).map(({ status, count }) => [status, count]))
    const of = (...statuses: IntentStatus[]) => statuses.reduce((sum, status) => sum + (tally.get(status) ?? 0), 0)
    const failed = of('rejected', 'notSent', 'absent')
    const swapsFilled = of('filled')
    const missed = of('reverted', 'expired')
    return {
      cursor: this.#meta('cursor'),
      events: rawOf(events.iterate()),
      pending: rows<IntentRow>(pendingIntents.all()).map(intentOf),
      custody: rows<CustodyRow>(openCustody.all()).map(custodyOf),
      claimed: rows<Claim>(claimed.all()),
      swaps: rows<SwapRow>(openSwaps.all()).map(swapOf),
      fills: rows<FillRow>(fills.all()).map(fillOf),
      counts: {
        sent: of('accepted', 'lostRace') + failed + swapsFilled + missed,
        failed,
        swapsFilled,
        swapsFailed: missed + of('unfilled') + (rows<{ count: number }>(rejectedSwaps.all())[0]?.count ?? 0),
        refused: rows<{ count: number }>(refusalCount.all())[0]?.count ?? 0,
        revealed: reveals.get('revealed') ?? 0,
        missed: reveals.get('missed') ?? 0,
      },
      lastInput: rows<{ n: number | null }>(lastInput.all())[0]?.n ?? 0,
    }
  }

  commit({ n, at, event, cursor, intents, outcomes, custody, swaps, fills, refusals }: JournalRecord): void {
    const { addEvent, setMeta, addIntent, settleIntent, setCustody, setSwap, addFill, addRefusal } = this.#statements
    try {
      this.#db.exec('BEGIN IMMEDIATE')
      if (event !== undefined) addEvent.run(n, at, JSON.stringify(event.raw) ?? 'null', event.problem ?? null)
      if (cursor !== undefined) setMeta.run('cursor', cursor)
      for (const { key, action, stake, risk } of intents) addIntent.run(key, n, at, encodeExact(action), stake.toString(), risk.toString())
      for (const { key, status, made, detail } of outcomes) settleIntent.run(status, made ?? null, detail ?? null, at, key)
      for (const { contestId, entryId, price, salt, commitment, status } of custody) {
        setCustody.run(contestId, entryId, price, salt, commitment, status, at)
      }
      for (const swap of swaps) setSwap.run(...rowOfSwap(swap))
      for (const fill of fills) addFill.run(...rowOfFill(fill))
      for (const code of refusals) addRefusal.run(code)
      this.#db.exec('COMMIT')
    } catch (thrown) {
      // A full disk, for one, has ended the transaction already.
      if (this.#db.isOpen && this.#db.isTransaction) this.#db.exec('ROLLBACK')
      throw new CornermanError(
        'JOURNAL_WRITE_FAILED',
        `the journal could not be written, so nothing of this step is sent: ${messageOf(thrown)}`,
        {
          cause: thrown,
        },
      )
    }
  }

  close(): void {
    this.#db.close()
  }

  #meta(key: string): string | undefined {
    return rows<{ value: string }>(this.#statements.getMeta.all(key))[0]?.value
  }
}

interface IntentRow {
  key: string
  at: number
  action: string
  stake: string
  risk: string
}

interface CustodyRow {
  contest_id: string
  entry_id: string
  price: string
  salt: string
  commitment: string
  status: Custody['status']
}

function prepare(db: DatabaseSync) {
  return {
    getMeta: db.prepare('SELECT value FROM meta WHERE key = ?'),
    setMeta: db.prepare('INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value'),
    events: db.prepare('SELECT raw FROM events ORDER BY position'),
    addEvent: db.prepare('INSERT INTO events (n, at, raw, problem) VALUES (?, ?, ?, ?)'),
    addIntent: db.prepare("INSERT INTO intents (key, n, at, action, stake, risk, status) VALUES (?, ?, ?, ?, ?, ?, 'pending')"),
    settleIntent: db.prepare('UPDATE intents SET status = ?, made = ?, detail = ?, settled_at = ? WHERE key = ?'),
    pendingIntents: db.prepare("SELECT key, at, action, stake, risk FROM intents WHERE status IN ('pending', 'unknown') ORDER BY at, key"),
    claimed: db.prepare('SELECT made AS id, key FROM intents WHERE made IS NOT NULL'),
    setSwap: db.prepare(
      `INSERT INTO swaps (key, wallet, tx, last_valid_block_height, sent_at, given, quoted_out, min_out, signature, total_before, gas_before, profit_before)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (key) DO UPDATE SET signature = excluded.signature`,
    ),
    openSwaps: db.prepare(
      `SELECT key, wallet, tx, last_valid_block_height, sent_at, given, quoted_out, min_out, signature, total_before, gas_before, profit_before
       FROM swaps JOIN intents USING (key) WHERE status IN ('pending', 'unknown') ORDER BY sent_at`,
    ),
    addFill: db.prepare(
      `INSERT INTO fills (key, contest_id, signature, at, mint_from, mint_to, given, received, fee_lamports, source)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ),
    fills: db.prepare(
      'SELECT key, contest_id, signature, at, mint_from, mint_to, given, received, fee_lamports, source FROM fills ORDER BY position',
    ),
    rejectedSwaps: db.prepare(
      "SELECT count(*) AS count FROM intents WHERE status IN ('rejected', 'notSent', 'absent') AND json_extract(action, '$.type') IN ('swap', 'sweep')",
    ),
    counts: db.prepare('SELECT status, count(*) AS count FROM intents GROUP BY status'),
    lastInput: db.prepare('SELECT max(n) AS n FROM (SELECT max(n) AS n FROM events UNION ALL SELECT max(n) AS n FROM intents)'),
    setCustody: db.prepare(
      `INSERT INTO custody (contest_id, entry_id, price, salt, commitment, status, at) VALUES (?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (contest_id) DO UPDATE SET entry_id = excluded.entry_id, price = excluded.price, salt = excluded.salt,
         commitment = excluded.commitment, status = excluded.status, at = excluded.at`,
    ),
    openCustody: db.prepare(
      "SELECT contest_id, entry_id, price, salt, commitment, status FROM custody WHERE status IN ('made', 'committed')",
    ),
    revealCounts: db.prepare("SELECT status, count(*) AS count FROM custody WHERE status IN ('revealed', 'missed') GROUP BY status"),
    addRefusal: db.prepare('INSERT INTO refusals (code, count) VALUES (?, 1) ON CONFLICT (code) DO UPDATE SET count = count + 1'),
    refusalCount: db.prepare('SELECT coalesce(sum(count), 0) AS count FROM refusals'),
  }
}

/** Opens the file and holds it for this process alone; a process that dies lets go of it. */
function open(file: string): DatabaseSync {
  let db: DatabaseSync | undefined
  try {
    db = new DatabaseSync(file, { timeout: BUSY_TIMEOUT_MS })
    db.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; BEGIN IMMEDIATE; COMMIT')
    return db
  } catch (cause) {
    db?.close()
    if (/locked|busy/i.test(messageOf(cause))) {
      throw new CornermanError(
        'JOURNAL_IN_USE',
        `${file} is held by another process: stop the one that runs on it, or use another --data-dir`,
        { cause },
      )
    }
    throw new CornermanError('JOURNAL_UNREADABLE', `${file} cannot be opened as a journal: ${messageOf(cause)}`, { cause })
  }
}

/** @returns whether the journal was just made */
function migrate(db: DatabaseSync, file: string): boolean {
  const version = rows<{ user_version: number }>(db.prepare('PRAGMA user_version').all())[0]?.user_version ?? 0
  if (version > SCHEMA_VERSION) {
    throw new CornermanError(
      'JOURNAL_NEWER',
      `${file} is of version ${version}, this is a Cornerman that knows ${SCHEMA_VERSION}: use the newer one`,
    )
  }
  if (version === SCHEMA_VERSION) return false
  db.exec(`BEGIN; ${MIGRATIONS.slice(version).join('\n')} PRAGMA user_version = ${SCHEMA_VERSION}; COMMIT`)
  return version === 0
}

function ofAnother(file: string, owner: string, agentId: string): CornermanError {
  return new CornermanError(
    'JOURNAL_OF_ANOTHER_AGENT',
    `${file} is the journal of agent ${owner}, this bot is agent ${agentId}: rename the bot, or give it another --data-dir`,
  )
}

/** Rows of our own statements on our own tables. */
function rows<T>(found: unknown[]): T[] {
  return found as T[]
}

function* rawOf(found: Iterable<unknown>): Generator<unknown> {
  for (const row of found) yield JSON.parse((row as { raw: string }).raw) as unknown
}

const intentOf = ({ key, at, action, stake, risk }: IntentRow): Intent => ({
  key,
  at,
  action: readAction(decodeExact(action)),
  stake: BigInt(stake),
  risk: BigInt(risk),
})

const custodyOf = (row: CustodyRow): Custody => ({
  contestId: row.contest_id,
  entryId: row.entry_id,
  price: row.price,
  salt: row.salt,
  commitment: row.commitment,
  status: row.status,
})
