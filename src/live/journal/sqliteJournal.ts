import { DatabaseSync } from 'node:sqlite'
import { CornermanError, messageOf } from '../../core/error.ts'
import { decodeExact, encodeExact } from '../../core/exactJson.ts'
import type { Claim, Custody, Intent, IntentStatus, Journal, JournalContents, JournalRecord } from '../../pipeline/index.ts'
import { readAction } from '../../strategy/action.ts'
import type { ReadLease, ReadLeases } from '../readBudget.ts'
import { migrate } from './migrations.ts'
import { type FillRow, fillOf, rowOfFill, rowOfSwap, type SwapRow, swapOf } from './swapRows.ts'

const BUSY_TIMEOUT_MS = 1000

/**
 * One bot's journal: what it was told, asked for, promised and owes. Everything one input changes is
 * one transaction, on disk (`synchronous = FULL`) before anything of it is sent (law 4).
 */
export class SqliteJournal implements Journal, ReadLeases {
  readonly #file: string
  readonly #db: DatabaseSync
  readonly #statements: ReturnType<typeof prepare>

  /**
   * @param file a path, or `:memory:`
   * @throws CornermanError `JOURNAL_IN_USE`, `JOURNAL_UNREADABLE` or `JOURNAL_NEWER`
   */
  constructor(file: string) {
    this.#file = file
    this.#db = open(file)
    try {
      migrate(this.#db, file)
      this.#statements = prepare(this.#db)
    } catch (thrown) {
      this.#db.close()
      throw thrown
    }
  }

  /**
   * Makes a new journal that of an agent; an older one has to be of this agent, or it is closed.
   *
   * @throws CornermanError `JOURNAL_OF_ANOTHER_AGENT`
   */
  belongTo(agentId: string): this {
    const owner = this.#meta('agentId')
    if (owner === undefined) this.#statements.setMeta.run('agentId', agentId)
    else if (owner !== agentId) {
      this.close()
      throw ofAnother(this.#file, owner, agentId)
    }
    return this
  }

  leases(sinceMs: number): readonly ReadLease[] {
    return rows<ReadLease>(this.#statements.leases.all(sinceMs))
  }

  lease(lease: ReadLease, sinceMs: number): void {
    const { dropLeases, addLease } = this.#statements
    dropLeases.run(sinceMs)
    addLease.run(lease.at, lease.count)
  }

  load(): JournalContents {
    const {
      pendingIntents,
      openCustody,
      claimed,
      openTickets,
      openSwaps,
      fills,
      counts,
      rejectedSwaps,
      revealCounts,
      refusalCount,
      lastInput,
      events,
    } = this.#statements
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
      tickets: rows<{ id: string }>(openTickets.all()).map(({ id }) => id),
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
    openTickets: db.prepare(
      `SELECT made AS id FROM intents WHERE made IS NOT NULL AND json_extract(action, '$.type') = 'enqueue' AND made NOT IN
         (SELECT json_extract(action, '$.ticketId') FROM intents WHERE status = 'accepted' AND json_extract(action, '$.type') = 'cancelTicket')
       ORDER BY at DESC LIMIT 100`,
    ),
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
    leases: db.prepare('SELECT at, count FROM read_leases WHERE at > ? ORDER BY at'),
    addLease: db.prepare('INSERT INTO read_leases (at, count) VALUES (?, ?)'),
    dropLeases: db.prepare('DELETE FROM read_leases WHERE at <= ?'),
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
