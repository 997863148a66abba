import { FleetConnection } from './fleetConnection.ts'

/** A transaction that is open for so long keeps dead rows in the tables of the fleet, in milliseconds. */
const LONG_MS = 5 * 60_000

// A commit that waits for its standby stands in no other connection's way: it can be looked at while it hangs.
const WAITING = `
  SELECT count(*)::int AS n FROM pg_stat_activity
    WHERE usename = current_user AND wait_event = 'SyncRep' AND state_change < clock_timestamp() - interval '500 milliseconds'`

// When a transaction of another role began is not everybody's to see; that it is the same one still is.
const OPEN = `
  SELECT pid, usename AS role, coalesce(application_name, '') AS application, coalesce(backend_xid, backend_xmin)::text AS id FROM pg_stat_activity
    WHERE datname = current_database() AND usename IS NOT NULL AND application_name IS DISTINCT FROM 'cornerman' AND pid <> pg_backend_pid()
      AND coalesce(backend_xid, backend_xmin) IS NOT NULL`

interface OpenTransaction {
  readonly pid: number
  readonly role: string
  readonly application: string
  readonly id: string
}

/** A transaction of somebody else. */
export interface LongTransaction extends OpenTransaction {
  /** How long it has been seen, in milliseconds. */
  readonly openMs: number
}

export interface DatabaseWatchOptions {
  readonly url: string
  /** Monotonic milliseconds. Default: those of the process. */
  readonly now?: () => number
}

/** What troubles the database of a fleet, for a person. Each look is one read on a connection of its own, which ends with it. */
export class DatabaseWatch {
  readonly #options: DatabaseWatchOptions
  readonly #now: () => number
  /** When each open transaction was first seen. */
  #since: ReadonlyMap<string, number> = new Map()

  constructor(options: DatabaseWatchOptions) {
    this.#options = options
    this.#now = options.now ?? (() => performance.now())
  }

  /** Whether commits hang since no standby says that it has them. Not, where nobody can say. */
  async waitsForStandby(): Promise<boolean> {
    const rows = await this.#look<{ n: number }>(WAITING).catch(() => [])
    return (rows[0]?.n ?? 0) > 0
  }

  /**
   * Transactions of others that were open at every look for five minutes.
   *
   * @throws InDoubt, or CornermanError as a connection does
   */
  async longTransactions(): Promise<readonly LongTransaction[]> {
    const open = await this.#look<OpenTransaction>(OPEN)
    const now = this.#now()
    this.#since = new Map(open.map((one) => [nameOf(one), this.#since.get(nameOf(one)) ?? now]))
    return open.map((one) => ({ ...one, openMs: now - (this.#since.get(nameOf(one)) ?? now) })).filter(({ openMs }) => openMs >= LONG_MS)
  }

  /** Somebody else looks now. */
  forget(): void {
    this.#since = new Map()
  }

  async #look<R extends object>(text: string): Promise<R[]> {
    const connection = new FleetConnection(this.#options)
    try {
      return await connection.ask<R>(text)
    } finally {
      connection.close()
    }
  }
}

const nameOf = ({ pid, id }: OpenTransaction): string => `${pid}:${id}`
