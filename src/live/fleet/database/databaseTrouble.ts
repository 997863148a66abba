import { CornermanError, messageOf } from '../../../core/error.ts'
import { InDoubt } from './fleetConnection.ts'

const READ_ONLY = '25006'
const NO_ROOM = '53100'
/** SQLSTATEs that end by themselves: the server stops, starts, or breaks a deadlock. */
const PASSING = /^(?:57P0|40|55P03|08)/

/**
 * Explains a refusal of the database: its own message, its SQLSTATE, and the remedy. Undefined if the database does not answer, and for errors
 * that end by themselves.
 */
export function databaseTrouble(thrown: unknown): CornermanError | undefined {
  const sqlstate = sqlstateOf(thrown)
  if (sqlstate === undefined || PASSING.test(sqlstate)) return undefined
  const own = `${deepest(thrown)} [${sqlstate}]`
  return new CornermanError('FLEET_REFUSED', `${WORDS[sqlstate] ?? OTHER}: ${own}. ${REMEDY[sqlstate] ?? REMEDY_OF_OTHERS}`, {
    cause: thrown,
    details: { code: sqlstate },
  })
}

/** The code of PostgreSQL behind an error; undefined where the server has not said one. */
export function sqlstateOf(thrown: unknown): string | undefined {
  if (!(thrown instanceof Error)) return undefined
  const { code } = (thrown instanceof CornermanError ? thrown.details : thrown) as { code?: unknown }
  if (typeof code === 'string' && /^(?=.*\d)[0-9A-Z]{5}$/.test(code)) return code
  return thrown instanceof InDoubt || thrown instanceof CornermanError ? sqlstateOf(thrown.cause) : undefined
}

/** As the server said it. */
function deepest(thrown: unknown): string {
  return thrown instanceof Error && thrown.cause instanceof Error ? deepest(thrown.cause) : messageOf(thrown)
}

const SENT_NOTHING = 'nothing is sent, and no bot stakes anything, until it does'

const WORDS: Readonly<Record<string, string>> = {
  [READ_ONLY]: `the fleet's database takes no writes (it is read-only, or a standby), so ${SENT_NOTHING}`,
  [NO_ROOM]: `the fleet's database has no room left on its disk, so ${SENT_NOTHING.replace('it does', 'it has')}`,
}
const OTHER = `the fleet's database refuses a write, so ${SENT_NOTHING.replace('it does', 'it takes it')}`

const REMEDY: Readonly<Record<string, string>> = {
  [READ_ONLY]:
    'Name the primary in the URL of the fleet, or let this server take writes: ALTER SYSTEM SET default_transaction_read_only = off, then SELECT pg_reload_conf(). A provider sets it where the disk is nearly full: make room first',
  [NO_ROOM]: 'Make room on the disk of the database; bots that have stopped (JOURNAL_WRITE_FAILED) play on after a new start',
}
const REMEDY_OF_OTHERS = 'See to that in the database; the code in brackets is in the list of PostgreSQL error codes'
