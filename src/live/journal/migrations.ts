import type { DatabaseSync } from 'node:sqlite'
import { CornermanError } from '../../core/error.ts'
import { defineRowSum, sumOf } from './sums.ts'

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
  // Reads of the service that were set aside before they were sent: a process that dies leaves no more of them unaccounted for.
  `
  CREATE TABLE read_leases (at INTEGER NOT NULL, count INTEGER NOT NULL) STRICT;
`,
  // When the figures beside a swap were asked for, and by when they were there: a contest that was settled before that, and is told of later, is in them.
  `
  ALTER TABLE swaps ADD COLUMN figures_at INTEGER;
  ALTER TABLE swaps ADD COLUMN figures_by INTEGER;
`,
  // Checksums; what is folded of the past; what modes are closed and what is still to be told (docs/adr/0034-what-a-journal-keeps.md).
  `
  ALTER TABLE custody ADD COLUMN sum INTEGER;
  ALTER TABLE intents ADD COLUMN sum INTEGER;
  ALTER TABLE swaps ADD COLUMN sum INTEGER;
  ALTER TABLE fills ADD COLUMN sum INTEGER;
  ${(['custody', 'intents', 'swaps', 'fills'] as const).map((table) => `UPDATE ${table} SET sum = ${sumOf(table)};`).join('\n  ')}
  CREATE INDEX intents_status ON intents (status);
  CREATE INDEX intents_made ON intents (made) WHERE made IS NOT NULL;
  CREATE INDEX custody_open ON custody (status) WHERE status NOT IN ('revealed', 'missed', 'dropped');
  CREATE TABLE facts (name TEXT PRIMARY KEY, body TEXT NOT NULL, sum INTEGER) STRICT;
  CREATE TABLE contests (
    contest_id TEXT PRIMARY KEY, ended_at INTEGER NOT NULL, mode TEXT, strategy TEXT, versus TEXT, chain TEXT, stake TEXT,
    result TEXT NOT NULL, profit TEXT NOT NULL, swap_profit TEXT, sum INTEGER
  ) STRICT;
  CREATE VIEW sums AS SELECT
    ended_at / 86400000 AS day, mode, strategy, versus, chain, result, count(*) AS contests, sum(CAST(stake AS INTEGER)) AS staked,
    sum(CAST(profit AS INTEGER)) AS profit, sum(CAST(swap_profit AS INTEGER)) AS swap_profit
    FROM contests GROUP BY 1, 2, 3, 4, 5, 6;
  CREATE TABLE modes (
    mode TEXT PRIMARY KEY, state TEXT NOT NULL, why TEXT NOT NULL, numbers TEXT NOT NULL, since INTEGER NOT NULL, trials INTEGER NOT NULL,
    trial_at INTEGER
  ) STRICT;
  CREATE TABLE outbox (
    id INTEGER PRIMARY KEY, at INTEGER NOT NULL, kind TEXT NOT NULL, body TEXT NOT NULL, tries INTEGER NOT NULL, due_at INTEGER
  ) STRICT;
`,
]
export const SCHEMA_VERSION = MIGRATIONS.length

/**
 * Brings a journal up to the newest version, in one transaction.
 *
 * @throws CornermanError `JOURNAL_NEWER`, `JOURNAL_UNREADABLE`
 */
export function migrate(db: DatabaseSync, file: string): void {
  defineRowSum(db)
  const { version } = knownHeader(headerOf(db), file)
  if (version === SCHEMA_VERSION) return
  db.exec(`BEGIN; ${MIGRATIONS.slice(version).join('\n')} PRAGMA user_version = ${SCHEMA_VERSION}; COMMIT`)
}

/** What a file of SQLite says of itself (https://www.sqlite.org/fileformat.html): both 0 where nothing was written yet. */
export interface JournalHeader {
  readonly version: number
  /** A journal has none. */
  readonly applicationId: number
}

/**
 * @returns the header, of a version that can be read
 * @throws CornermanError `JOURNAL_NEWER`; `JOURNAL_UNREADABLE` for the database of something else, such as the sandbox's
 */
export function knownHeader(header: JournalHeader, file: string): JournalHeader {
  const { version, applicationId } = header
  if (applicationId !== 0) {
    const remedy = 'name the journal of a bot, which is in bots/ of the data directory'
    throw new CornermanError('JOURNAL_UNREADABLE', `${file} is a database of something else, not the journal of a bot: ${remedy}`)
  }
  if (version <= SCHEMA_VERSION) return header
  throw new CornermanError(
    'JOURNAL_NEWER',
    `${file} is of version ${version}, this is a Cornerman that knows ${SCHEMA_VERSION}: use the newer one`,
  )
}

export const headerOf = (db: DatabaseSync): JournalHeader => ({
  version: pragma(db, 'user_version'),
  applicationId: pragma(db, 'application_id'),
})

const pragma = (db: DatabaseSync, name: string): number => Number(db.prepare(`PRAGMA ${name}`).get()?.[name])
