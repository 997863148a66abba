import { DatabaseSync } from 'node:sqlite'
import { CornermanError, messageOf } from '../../core/error.ts'
import { CHAIN_TABLES } from './chainStore.ts'

/** Raised with every change of the tables below, and of what the engine makes of the commands in them. */
export const SCHEMA_VERSION = 5

/** Marks the file as a sandbox's: `CMSB` in ASCII. */
const APPLICATION_ID = 0x434d5342

/** How long a statement waits for another process to let go of the file. */
const BUSY_TIMEOUT_MS = 1000

const TABLES = `
  CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE commands (seq INTEGER PRIMARY KEY, body TEXT NOT NULL) STRICT;
  CREATE TABLE events (
    seq INTEGER PRIMARY KEY,
    command_seq INTEGER NOT NULL REFERENCES commands (seq),
    agent_id TEXT NOT NULL,
    id TEXT NOT NULL UNIQUE,
    body TEXT NOT NULL
  ) STRICT;
  CREATE INDEX events_of_agent ON events (agent_id, seq);
  CREATE TABLE snapshots (command_seq INTEGER PRIMARY KEY, state TEXT NOT NULL) STRICT;
  CREATE TABLE keys (hash TEXT PRIMARY KEY, prefix TEXT NOT NULL, agent_id TEXT NOT NULL UNIQUE) STRICT, WITHOUT ROWID;
  CREATE TABLE wallets (agent_id TEXT PRIMARY KEY, address TEXT NOT NULL UNIQUE, secret_key BLOB NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE endpoints (
    agent_id TEXT PRIMARY KEY,
    url TEXT NOT NULL,
    secret TEXT NOT NULL,
    delivered INTEGER NOT NULL,
    dropped INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE deliveries (
    event_seq INTEGER PRIMARY KEY REFERENCES events (seq),
    agent_id TEXT NOT NULL,
    due_at INTEGER NOT NULL,
    attempts INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX deliveries_of_agent ON deliveries (agent_id, due_at, event_seq);
  ${CHAIN_TABLES}
`

/**
 * Opens a sandbox's database and holds it for this process alone; makes the tables in a new one.
 *
 * @param file a path, or `:memory:`
 * @throws CornermanError `SANDBOX_DB_VERSION`, `SANDBOX_DB_FOREIGN`, `SANDBOX_DB_IN_USE` or `SANDBOX_DB_UNREADABLE`
 */
export function openDatabase(file: string): DatabaseSync {
  let database: DatabaseSync | undefined
  try {
    database = new DatabaseSync(file, { timeout: BUSY_TIMEOUT_MS })
    // Two sandboxes on one file would each fold their own state: the first to write keeps it.
    database.exec('PRAGMA locking_mode = EXCLUSIVE')
    // An acknowledged command survives the loss of power, not only of the process.
    database.exec('PRAGMA synchronous = FULL')
    database.exec('PRAGMA foreign_keys = ON')
    prepareSchema(database, file)
    // Only now: a database of something else is left as it is.
    database.exec('PRAGMA journal_mode = WAL')
    return database
  } catch (cause) {
    database?.close()
    if (cause instanceof CornermanError) throw cause
    const [code, problem] = /locked|busy/i.test(messageOf(cause))
      ? ['SANDBOX_DB_IN_USE', 'is held by another process: stop the sandbox that runs on it, or name another file']
      : ['SANDBOX_DB_UNREADABLE', `cannot be opened (${messageOf(cause)}): check the folder and its permissions, or name another file`]
    throw new CornermanError(code ?? '', `sandbox database ${file} ${problem}`, { cause, details: { file } })
  }
}

function prepareSchema(database: DatabaseSync, file: string): void {
  database.exec('BEGIN IMMEDIATE')
  try {
    const version = readNumber(database, 'PRAGMA user_version')
    const applicationId = readNumber(database, 'PRAGMA application_id')
    const tables = readNumber(database, 'SELECT count(*) FROM sqlite_schema')
    if (tables === 0) {
      database.exec(TABLES)
      database.exec(`PRAGMA application_id = ${APPLICATION_ID}`)
      database.exec(`PRAGMA user_version = ${SCHEMA_VERSION}`)
    } else if (applicationId !== APPLICATION_ID) {
      throw new CornermanError('SANDBOX_DB_FOREIGN', `${file} is a database of something else, not a sandbox's: name another file`)
    } else if (version !== SCHEMA_VERSION) {
      throw new CornermanError(
        'SANDBOX_DB_VERSION',
        `sandbox database ${file} has schema version ${version}, this Cornerman reads version ${SCHEMA_VERSION}: ${version > SCHEMA_VERSION ? 'update Cornerman, or name another file' : 'its play money is of an older sandbox, so start with another data directory or name another file'}`,
        { details: { file, version, reads: SCHEMA_VERSION } },
      )
    }
    database.exec('COMMIT')
  } catch (thrown) {
    database.exec('ROLLBACK')
    throw thrown
  }
}

function readNumber(database: DatabaseSync, sql: string): number {
  return Number(Object.values(database.prepare(sql).get() ?? {})[0])
}
