import type { DatabaseSync } from 'node:sqlite'
import { CornermanError } from '../../core/error.ts'

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
]
export const SCHEMA_VERSION = MIGRATIONS.length

/**
 * Brings a journal up to the newest version, in one transaction.
 *
 * @throws CornermanError `JOURNAL_NEWER`, `JOURNAL_UNREADABLE`
 */
export function migrate(db: DatabaseSync, file: string): void {
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
