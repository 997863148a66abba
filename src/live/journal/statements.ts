import type { DatabaseSync } from 'node:sqlite'

/** Everything a bot says to its journal. */
export function prepareStatements(db: DatabaseSync) {
  return {
    getMeta: db.prepare('SELECT value FROM meta WHERE key = ?'),
    setMeta: db.prepare('INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value'),
    events: db.prepare('SELECT position, raw FROM events WHERE position > ? ORDER BY position LIMIT ?'),
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
    // Of each contest the newest answered join or leave, where it is a leave or the policy readies the seat itself: the bare columns of
    // a row with max() are that row's.
    seats: db.prepare(
      `SELECT id, type FROM (SELECT json_extract(action, '$.contestId') AS id, json_extract(action, '$.type') AS type,
           json_extract(action, '$.readiedBy') AS by, max(n) AS n FROM intents
         WHERE status = 'accepted' AND json_extract(action, '$.type') IN ('joinContest', 'leaveContest') GROUP BY id)
       WHERE type = 'leaveContest' OR by = 'policy' ORDER BY n`,
    ),
    setSwap: db.prepare(
      `INSERT INTO swaps (key, wallet, tx, last_valid_block_height, sent_at, given, quoted_out, min_out, signature, total_before, gas_before, profit_before,
         figures_at, figures_by) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (key) DO UPDATE SET signature = excluded.signature, profit_before = excluded.profit_before`,
    ),
    openSwaps: db.prepare(
      `SELECT key, wallet, tx, last_valid_block_height, sent_at, given, quoted_out, min_out, signature, total_before, gas_before, profit_before,
         figures_at, figures_by FROM swaps JOIN intents USING (key) WHERE status IN ('pending', 'unknown') ORDER BY sent_at`,
    ),
    // More are not sent in a minute.
    sentSwaps: db.prepare('SELECT sent_at AS at, tx AS "transaction" FROM swaps ORDER BY rowid DESC LIMIT 600'),
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
    // Inputs are numbered upwards: of a million events the last says it.
    lastInput: db.prepare(
      `SELECT max(n) AS n FROM (SELECT n FROM (SELECT n FROM events ORDER BY position DESC LIMIT 1)
       UNION ALL SELECT max(n) AS n FROM intents)`,
    ),
    setCustody: db.prepare(
      `INSERT INTO custody (contest_id, entry_id, price, salt, commitment, status, at) VALUES (?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (contest_id) DO UPDATE SET entry_id = excluded.entry_id, price = excluded.price, salt = excluded.salt,
         commitment = excluded.commitment, status = excluded.status, at = excluded.at`,
    ),
    revealed: db.prepare("SELECT contest_id AS id FROM custody WHERE status = 'revealed' ORDER BY at DESC LIMIT 100"),
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
