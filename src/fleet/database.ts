import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { CornermanError, messageOf } from '../core/error.ts'
import { tlsRemedy } from '../core/tlsRemedy.ts'

/** The oldest PostgreSQL that has what is needed: 13.0. */
const OLDEST = 130_000
const CONNECT_MS = 10_000
const ANSWER_MS = 120_000
const AGAIN_MS = 500
const CONNECTIONS = 4

/** A row as `pg` gives it. */
export type Row = Readonly<Record<string, unknown>>

export interface DatabaseOptions {
  /** `postgres://user:password@host:port/database`. */
  readonly url: string
  /** How long a statement is tried again while the database is away or full, in milliseconds. */
  readonly patienceMs: number
  /** Told once of each time that the database is away, and when it is back. */
  readonly onTrouble?: (words: string) => void
}

/**
 * A PostgreSQL database that may be away for a while: each statement is tried again until it has been answered. So every statement that
 * is given to it must come to the same when it is run twice.
 */
export class FleetDatabase {
  readonly #pool: pg.Pool
  readonly #patienceMs: number
  readonly #onTrouble: (words: string) => void
  /** Statements that are tried again: a full disk takes some, and not others. */
  readonly #waiting = new Set<symbol>()
  #isClosed = false

  private constructor(pool: pg.Pool, { patienceMs, onTrouble = () => {} }: DatabaseOptions) {
    this.#pool = pool
    this.#patienceMs = patienceMs
    this.#onTrouble = onTrouble
  }

  /**
   * @throws CornermanError `FLEET_PACKAGES` where `pg` is not installed, `FLEET_UNREACHABLE` where nobody answers, `FLEET_UNFIT` where the
   *   database is too old, read-only, or behind a pooler that knows no transactions
   */
  static async connect(options: DatabaseOptions): Promise<FleetDatabase> {
    const { default: driver } = await load(() => import('pg'))
    let pool: pg.Pool | undefined
    try {
      pool = new driver.Pool({
        ...{ connectionString: options.url, max: CONNECTIONS, keepAlive: true, application_name: 'cornerman' },
        ...{ connectionTimeoutMillis: CONNECT_MS, query_timeout: ANSWER_MS },
      })
      // A connection that breaks while nothing is asked of it is replaced by the next statement.
      pool.on('error', () => {})
      await expectFit(pool)
    } catch (thrown) {
      await pool?.end()
      throw thrown instanceof CornermanError ? thrown : unreachable(thrown)
    }
    return new FleetDatabase(pool, options)
  }

  /**
   * @param text one statement; or several without values, which are one transaction
   * @throws CornermanError `FLEET_UNREACHABLE` when its patience is over, `FLEET_UNFIT` where it lacks a right
   */
  async query<R extends Row>(text: string, values?: readonly unknown[]): Promise<R[]> {
    return (await this.answer(text, values)).rows as R[]
  }

  /** As `query`, with all that `pg` says; of several statements that is a list. */
  async answer(text: string, values?: readonly unknown[]): Promise<pg.QueryResult> {
    const until = performance.now() + this.#patienceMs
    const statement = Symbol()
    for (;;) {
      try {
        const answer = await this.#pool.query(text, values === undefined ? undefined : [...values])
        this.#back(statement)
        return answer
      } catch (cause) {
        const final = this.#finalOf(cause, until)
        if (final !== undefined) {
          this.#waiting.delete(statement)
          throw final
        }
        this.#away(statement, cause)
        await sleep(AGAIN_MS)
      }
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await this.#pool.end()
  }

  /** What a statement that failed ends with; undefined where it is tried again. */
  #finalOf(cause: unknown, until: number): unknown {
    if (codeOf(cause) === '42501') return lacksRight(cause)
    if (!isPassing(cause)) return cause
    return this.#isClosed || performance.now() >= until ? unreachable(cause) : undefined
  }

  #away(statement: symbol, cause: unknown): void {
    const isTold = this.#waiting.size > 0
    this.#waiting.add(statement)
    if (!isTold) this.#onTrouble(`the database does not take it (${wordsOf(cause)}): it is tried again until it does`)
  }

  #back(statement: symbol): void {
    if (this.#waiting.delete(statement) && this.#waiting.size === 0) this.#onTrouble('the database is back')
  }
}

/** @throws CornermanError `FLEET_PACKAGES` where it is not installed */
export async function load<M>(module: () => Promise<M>): Promise<M> {
  try {
    return await module()
  } catch (cause) {
    if ((cause as { code?: unknown }).code !== 'ERR_MODULE_NOT_FOUND') throw cause
    throw new CornermanError('FLEET_PACKAGES', 'a fleet needs two packages that are not installed: npm install pg pg-boss', { cause })
  }
}

async function expectFit(pool: pg.Pool): Promise<void> {
  const client = await pool.connect()
  // A pooler that refuses a transaction ends its connection with it.
  client.on('error', () => {})
  try {
    const { rows } = await client.query<{ version: string; number: string; only: string }>(
      `SELECT current_setting('server_version') AS version, current_setting('server_version_num') AS number,
         CASE WHEN pg_is_in_recovery() THEN 'on' ELSE current_setting('transaction_read_only') END AS only`,
    )
    const { version = '', number = '0', only = 'off' } = rows[0] ?? {}
    if (Number(number) < OLDEST) throw unfit(`it is PostgreSQL ${version}, and 13 or newer is needed`)
    if (only === 'on') throw unfit('it takes no writes: it is a standby, or set to read-only. Name the primary')
    await expectTransactions(client)
  } catch (thrown) {
    client.release(true)
    throw thrown
  }
  client.release()
}

/** A pooler that gives each statement another session has no transactions. */
async function expectTransactions(client: pg.PoolClient): Promise<void> {
  try {
    await client.query('BEGIN')
    await client.query('SELECT pg_advisory_xact_lock(0)')
    await client.query('COMMIT')
  } catch (cause) {
    if (isPassing(cause) && codeOf(cause) !== '08P01') throw cause
    throw unfit(`it has no transactions (${wordsOf(cause)}): set the pooler in front of it to transaction mode, or name the server itself`)
  }
}

const unfit = (words: string): CornermanError => new CornermanError('FLEET_UNFIT', `this database cannot hold a fleet: ${words}`)

const lacksRight = (cause: unknown): CornermanError =>
  unfit(
    `its role lacks a right (${messageOf(cause)}): as the owner of the database, run GRANT CREATE ON DATABASE … TO …, or name a database of its own`,
  )

const unreachable = (cause: unknown): CornermanError =>
  new CornermanError(
    'FLEET_UNREACHABLE',
    `the database of the fleet cannot be used (${wordsOf(cause)}): see that it runs, and what the URL names`,
    {
      retryable: true,
      cause,
    },
  )

const codeOf = (thrown: unknown): string => {
  const { code } = (thrown ?? {}) as { code?: unknown }
  return typeof code === 'string' ? code : ''
}

/** Several addresses that were tried in vain have one error, without a message. */
function wordsOf(thrown: unknown): string {
  const words = thrown instanceof AggregateError && thrown.message === '' ? thrown.errors.map(messageOf).join(', ') : messageOf(thrown)
  const remedy = tlsRemedy(thrown)
  return remedy === undefined ? words : `${words}; ${remedy}`
}

/** Connections that broke or were refused, a server that ends or begins, locks, and what is full: all of it may be over soon. */
const PASSING = /^(?:08|53|55P03|57P0|57014|58|40001|40P01|25006|ECONN|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH)/
const PASSING_WORDS = /connection terminated|timeout|client has encountered a connection error|not queryable/i

function isPassing(thrown: unknown): boolean {
  if (thrown instanceof AggregateError) return thrown.errors.some(isPassing)
  return PASSING.test(codeOf(thrown)) || (codeOf(thrown) === '' && PASSING_WORDS.test(messageOf(thrown)))
}
