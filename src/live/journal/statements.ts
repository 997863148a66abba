import type { DatabaseSync } from 'node:sqlite'
import { insertOf, isSound, placed, SUMMED, sumOf, upsertOf } from './sums.ts'

/** So many of the newest intents say what a start has to know of intents that have an outcome. */
const NEWEST = 10_000

export type Statements = ReturnType<typeof prepareStatements>

/** Everything a bot says to its journal. */
export function prepareStatements(db: DatabaseSync) {
  return {
    getMeta: db.prepare('SELECT value FROM meta WHERE key = ?'),
    setMeta: db.prepare('INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value'),
    events: db.prepare('SELECT position, raw FROM events WHERE position > ? ORDER BY position LIMIT ?'),
    eventsAt: db.prepare('SELECT position, raw FROM events WHERE position IN (SELECT value FROM json_each(?)) ORDER BY position'),
    eventBack: db.prepare(
      `SELECT position, raw FROM events WHERE position <= (SELECT max(position) FROM events) - ? AND json_extract(raw, '$.id') IS NOT NULL
         ORDER BY position DESC LIMIT 1`,
    ),
    newestEvent: db.prepare('SELECT position, at FROM events ORDER BY position DESC LIMIT 1'),
    addEvent: db.prepare('INSERT INTO events (n, at, raw, problem) VALUES (?, ?, ?, ?)'),
    addIntent: db.prepare(
      `INSERT INTO intents (key, n, at, action, stake, risk, status, sum) VALUES (?1, ?2, ?3, ?4, ?5, ?6, 'pending',
         ${sumOf('intents', { ...placed('key', 'n', 'at', 'action', 'stake', 'risk'), status: "'pending'", made: 'NULL', detail: 'NULL', settled_at: 'NULL' })})`,
    ),
    // A row that is not what was written does not become sound by having an outcome.
    settleIntent: db.prepare(
      `UPDATE intents SET status = ?1, made = ?2, detail = ?3, settled_at = ?4,
         sum = ${sumOf('intents', placed('status', 'made', 'detail', 'settled_at'))} WHERE key = ?5 AND ${isSound('intents')}`,
    ),
    // By an index that is not the one that counts go by: each watches the other.
    pendingIntents: db.prepare(
      `SELECT key, at, action, stake, risk, ${isSound('intents')} AS sound FROM intents INDEXED BY intents_open
         WHERE status IN ('pending', 'unknown') ORDER BY at, key`,
    ),
    // Of things that are over the newest alone can be taken for another's: of those that are open all are named.
    claimed: db.prepare(
      `SELECT made AS id, key FROM (SELECT made, key FROM intents ORDER BY rowid DESC LIMIT ${NEWEST}) WHERE made IS NOT NULL
       UNION SELECT made, key FROM intents WHERE made IS NOT NULL AND made IN (SELECT value FROM json_each(?))`,
    ),
    openTickets: db.prepare(
      `WITH newest AS MATERIALIZED (SELECT status, made, action, at FROM intents ORDER BY rowid DESC LIMIT ${NEWEST})
       SELECT made AS id FROM newest WHERE made IS NOT NULL AND json_extract(action, '$.type') = 'enqueue' AND made NOT IN
         (SELECT json_extract(action, '$.ticketId') FROM newest WHERE status = 'accepted' AND json_extract(action, '$.type') = 'cancelTicket')
       ORDER BY at DESC LIMIT 100`,
    ),
    // Of each contest the newest answered join or leave, where it is a leave or the policy readies the seat itself: the bare columns of
    // a row with max() are that row's.
    seats: db.prepare(
      `SELECT id, type FROM (SELECT json_extract(action, '$.contestId') AS id, json_extract(action, '$.type') AS type,
           json_extract(action, '$.readiedBy') AS by, max(n) AS n FROM (SELECT n, status, action FROM intents ORDER BY rowid DESC LIMIT ${NEWEST})
         WHERE status = 'accepted' AND json_extract(action, '$.type') IN ('joinContest', 'leaveContest') GROUP BY id)
       WHERE type = 'leaveContest' OR by = 'policy' ORDER BY n`,
    ),
    // A contest stands there once for each pick.
    picked: db.prepare(
      `SELECT json_extract(action, '$.contestId') AS id FROM (SELECT n, status, action FROM intents ORDER BY rowid DESC LIMIT ${NEWEST})
         WHERE status = 'accepted' AND json_extract(action, '$.type') = 'draftPick' ORDER BY n DESC LIMIT 100`,
    ),
    setMode: db.prepare(
      `INSERT INTO modes (mode, state, why, numbers, since, trials, trial_at) VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (mode) DO UPDATE SET
         state = excluded.state, why = excluded.why, numbers = excluded.numbers, since = excluded.since, trials = excluded.trials,
         trial_at = excluded.trial_at`,
    ),
    modes: db.prepare('SELECT mode, numbers FROM modes ORDER BY mode'),
    setFacts: db.prepare(upsertOf('facts')),
    ledger: db.prepare(`SELECT body, ${isSound('facts')} AS sound FROM facts WHERE name = 'ledger'`),
    setSwap: db.prepare(upsertOf('swaps')),
    openSwaps: db.prepare(
      `SELECT ${SUMMED.swaps.map((column) => `swaps.${column}`).join(', ')}, ${isSound('swaps')} AS sound FROM swaps
         JOIN intents USING (key) WHERE status IN ('pending', 'unknown') ORDER BY sent_at`,
    ),
    // More are not sent in a minute.
    sentSwaps: db.prepare('SELECT sent_at AS at, tx AS "transaction" FROM swaps ORDER BY rowid DESC LIMIT 600'),
    addFill: db.prepare(insertOf('fills')),
    fills: db.prepare(
      `SELECT position, ${SUMMED.fills.join(', ')}, ${isSound('fills')} AS sound FROM fills WHERE position > ? ORDER BY position`,
    ),
    rejectedSwaps: db.prepare(
      "SELECT count(*) AS count FROM intents WHERE status IN ('rejected', 'notSent', 'absent') AND json_extract(action, '$.type') IN ('swap', 'sweep')",
    ),
    counts: db.prepare('SELECT status, count(*) AS count FROM intents GROUP BY status'),
    // Inputs are numbered upwards, and rows are written in that order: the last of each says it.
    lastInput: db.prepare(
      `SELECT max(n) AS n FROM (SELECT n FROM (SELECT n FROM events ORDER BY position DESC LIMIT 1)
       UNION ALL SELECT n FROM (SELECT n FROM intents ORDER BY rowid DESC LIMIT ${NEWEST}))`,
    ),
    setCustody: db.prepare(upsertOf('custody')),
    revealed: db.prepare(
      "SELECT contest_id AS id FROM (SELECT * FROM custody ORDER BY rowid DESC LIMIT 1000) WHERE status = 'revealed' ORDER BY at DESC LIMIT 100",
    ),
    // Whatever is not known to be over: of a status that is none, something may be owed.
    openCustody: db.prepare(
      `SELECT contest_id, entry_id, price, salt, commitment, status, ${isSound('custody')} AS sound FROM custody
       WHERE status NOT IN ('revealed', 'missed', 'dropped')`,
    ),
    revealCounts: db.prepare("SELECT status, count(*) AS count FROM custody WHERE status IN ('revealed', 'missed') GROUP BY status"),
    addRefusal: db.prepare('INSERT INTO refusals (code, count) VALUES (?, 1) ON CONFLICT (code) DO UPDATE SET count = count + 1'),
    leases: db.prepare('SELECT at, count FROM read_leases WHERE at > ? ORDER BY at'),
    addLease: db.prepare('INSERT INTO read_leases (at, count) VALUES (?, ?)'),
    // The newest: what of it was never sent.
    giveBack: db.prepare('UPDATE read_leases SET count = max(0, count - ?) WHERE rowid = (SELECT max(rowid) FROM read_leases)'),
    dropLeases: db.prepare('DELETE FROM read_leases WHERE at <= ?'),
    refusalCount: db.prepare('SELECT coalesce(sum(count), 0) AS count FROM refusals'),
  }
}
