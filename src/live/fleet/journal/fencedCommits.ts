import { setTimeout as sleep } from 'node:timers/promises'
import { CornermanError } from '../../../core/error.ts'
import { InDoubt } from '../database/fleetConnection.ts'
import type { Statements } from '../database/sharedConnections.ts'
import type { JournalPlace } from './journalPlace.ts'
import { chainAfter } from './recordSeal.ts'

const AGAIN_MS = 100
/** What the database may say of `synchronous_commit` and not have made durable. */
const NOT_DURABLE = new Set(['off', 'local'])

const COMMIT = `
  WITH held AS (UPDATE cornerman_fleet.bots SET seq = $4 + cardinality($6::bytea[]), chain = $7
         WHERE bot = $1 AND epoch = $2 AND run = $3 AND seq = $4 RETURNING 1),
       put AS (INSERT INTO cornerman_fleet.records SELECT $1, $4 + o, $2, c, b
         FROM held, unnest($5::bytea[], $6::bytea[]) WITH ORDINALITY AS u(c, b, o) RETURNING 1)
  SELECT (SELECT count(*) FROM put)::int AS n, current_setting('synchronous_commit') AS sync,
    current_setting('synchronous_standby_names') AS names`

const TOUCH = `
  UPDATE cornerman_fleet.bots SET touched = touched + 1 WHERE bot = $1 AND epoch = $2 AND run = $3
    RETURNING seq::text, chain, current_setting('synchronous_commit') AS sync, current_setting('synchronous_standby_names') AS names`

/** Who holds a bot, as its row says while it is so. */
export interface Holding {
  readonly bot: string
  readonly epoch: number
  /** The id of this process's run, a UUID. */
  readonly run: string
}

/**
 * The commits of one holder of a bot, one after another: each stands whole and is durable, or nothing of it is there. None of them is taken
 * once another host has claimed the bot.
 */
export class FencedCommits {
  readonly #connection: Statements
  readonly #holding: Holding
  #place: JournalPlace
  #newest: readonly (JournalPlace & { readonly epoch: number })[] = []

  /** `synchronous_standby_names` at the newest commit. */
  #standbys = ''

  constructor(connection: Statements, holding: Holding, place: JournalPlace) {
    this.#connection = connection
    this.#holding = holding
    this.#place = place
  }

  /** Behind the newest batch that was kept. */
  get place(): JournalPlace {
    return this.#place
  }

  /** True if the newest confirmed commit waited for a standby. */
  get hasStandby(): boolean {
    return this.#standbys.trim() !== ''
  }

  /** Its rows. */
  get newest(): readonly (JournalPlace & { readonly epoch: number })[] {
    return this.#newest
  }

  /**
   * Tries until it is known what became of the batch. One at a time.
   *
   * @param signal ends that: nobody wants to know any more
   * @returns `fenced` where another host has the bot
   * @throws CornermanError `FLEET_NOT_DURABLE`, `FLEET_ROLLED_BACK`, or as a connection does
   * @throws InDoubt once `signal` has ended it
   */
  async commit(bodies: readonly Uint8Array[], signal?: AbortSignal): Promise<'kept' | 'fenced'> {
    const before = this.#place
    const chains: Buffer[] = []
    for (const body of bodies) chains.push(chainAfter(chains.at(-1) ?? before.chain, body))
    const after = { seq: before.seq + bodies.length, chain: chains.at(-1) ?? before.chain }
    for (;;) {
      if (await this.#isTaken(before, chains, bodies)) break
      const found = await this.#found(signal)
      if (found === undefined) return 'fenced'
      if (isAt(found, after)) break
      if (!isAt(found, before)) throw rolledBack(this.#holding.bot, after.seq, found.seq)
    }
    this.#place = after
    this.#newest = chains.map((chain, index) => ({ seq: before.seq + index + 1, chain, epoch: this.#holding.epoch }))
    return 'kept'
  }

  /** Whether it is known to be; if not, nothing is known. */
  async #isTaken({ seq }: JournalPlace, chains: readonly Buffer[], bodies: readonly Uint8Array[]): Promise<boolean> {
    const { bot, epoch, run } = this.#holding
    try {
      const [row] = await this.#connection.ask<{ n: number; sync: string; names: string }>(COMMIT, [
        bot,
        epoch,
        run,
        seq,
        chains,
        bodies,
        chains.at(-1),
      ])
      if (row === undefined || row.n !== bodies.length) return false
      expectDurable(row.sync)
      this.#standbys = row.names
      return true
    } catch (thrown) {
      if (thrown instanceof InDoubt) return false
      throw thrown
    }
  }

  /**
   * Where the journal stands, by a write and never by a read: after a crash of the primary a row can be read that no standby has; a commit that
   * is answered says that what stands before it is on the standby, too. Undefined where another host has the bot.
   */
  async #found(signal: AbortSignal | undefined): Promise<JournalPlace | undefined> {
    const { bot, epoch, run } = this.#holding
    for (;;) {
      try {
        const [row] = await this.#connection.ask<{ seq: string; chain: Buffer; sync: string; names: string }>(TOUCH, [bot, epoch, run])
        if (row === undefined) return undefined
        expectDurable(row.sync)
        this.#standbys = row.names
        return { seq: Number(row.seq), chain: row.chain }
      } catch (thrown) {
        if (!(thrown instanceof InDoubt) || signal?.aborted === true) throw thrown
        await sleep(AGAIN_MS)
      }
    }
  }
}

const isAt = (found: JournalPlace, place: JournalPlace): boolean =>
  found.seq === place.seq && Buffer.compare(found.chain, place.chain) === 0

function expectDurable(sync: string): void {
  if (!NOT_DURABLE.has(sync)) return
  throw new CornermanError(
    'FLEET_NOT_DURABLE',
    `the database of the fleet answers before a commit is safe (synchronous_commit is ${sync}), so nothing of this step is sent: ALTER ROLE … SET synchronous_commit = on, then start again`,
    { details: { sync } },
  )
}

/** The database has another past than the one it answered for. */
export const rolledBack = (bot: string, expected: number, found: number): CornermanError =>
  new CornermanError(
    'FLEET_ROLLED_BACK',
    `the database of the fleet has lost what it had answered for: the journal of ${bot} ends at ${found}, and ${expected} was reached. A backup was restored, or a standby that was behind was promoted: ${bot} stands still until its journal is mended`,
    { details: { bot, expected, found } },
  )
