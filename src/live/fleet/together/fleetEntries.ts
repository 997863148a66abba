import { setTimeout as sleep } from 'node:timers/promises'
import { CornermanError } from '../../../core/error.ts'
import { encodeExact } from '../../../core/exactJson.ts'
import type { SiblingEntry } from '../../../pipeline/index.ts'
import { FleetConnection, InDoubt } from '../database/fleetConnection.ts'
import type { Holding } from '../journal/fencedCommits.ts'
import { SEND_WITHIN } from '../journal/kept.ts'

const AGAIN_MS = 500
/** Another bot's entry that has come or gone meanwhile is seen with the next try. */
const TRIES = 3

// The row of the bot is held until its entry stands: a claim that comes in between waits, and then finds it; a commit does not wait. Whoever joins
// a contest has read of it before: where it was made since by another bot, the row of that making stands, or that of its seat, which is written before
// the first one is deleted.
const ENTER = `
  WITH held AS (SELECT 1 FROM cornerman_fleet.bots WHERE bot = $1 AND epoch = $2 AND run = $3 FOR KEY SHARE),
       obeys AS (SELECT coalesce((SELECT n FROM cornerman_fleet.control), 0) = $4 AS newest),
       maker AS (SELECT min(bot) AS bot FROM cornerman_fleet.entries WHERE bot <> $1 AND starts_with(key, $9)),
       put AS (INSERT INTO cornerman_fleet.entries (bot, key, epoch, place, trial, entry)
         SELECT $1, $5, $2, $6, $7, $8 FROM held, obeys, maker WHERE newest AND maker.bot IS NULL ON CONFLICT DO NOTHING RETURNING 1)
  SELECT (SELECT count(*) FROM held)::int AS held, (SELECT newest FROM obeys) AS obeys, (SELECT count(*) FROM put)::int AS put,
    (SELECT bot FROM cornerman_fleet.entries WHERE place = $6) AS placed, (SELECT bot FROM cornerman_fleet.entries WHERE trial = $7) AS tried,
    (SELECT bot FROM maker) AS making,
    (SELECT epoch FROM cornerman_fleet.entries WHERE bot = $1 AND key = $5)::text AS since`

// The same lock: a holder that has lost the bot leaves nothing behind what its successor has settled. A trial goes from a ticket to its seat. A place goes
// to the bot that is there, from one that only means to: that one asks before it enters, and is told.
const PUBLISH = `
  WITH held AS (SELECT 1 FROM cornerman_fleet.bots WHERE bot = $1 AND epoch = $2 AND run = $3 FOR KEY SHARE),
       moved AS (UPDATE cornerman_fleet.entries SET trial = NULL FROM held WHERE bot = $1 AND key <> $4 AND trial = $6 RETURNING 1),
       ceded AS (UPDATE cornerman_fleet.entries SET place = NULL FROM held WHERE bot <> $1 AND place = $5 AND NOT $8::boolean RETURNING 1)
  INSERT INTO cornerman_fleet.entries (bot, key, epoch, place, trial, entry)
    SELECT $1, $4, $2, CASE WHEN $8 THEN nullif($5, (SELECT place FROM cornerman_fleet.entries WHERE place = $5)) ELSE $5 END,
           nullif($6, (SELECT trial FROM cornerman_fleet.entries WHERE trial = $6 AND bot <> $1)), $7
    FROM held, (SELECT count(*) FROM moved) AS one, (SELECT count(*) FROM ceded) AS another
    ON CONFLICT (bot, key) DO UPDATE
      SET epoch = excluded.epoch, entry = excluded.entry,
          place = coalesce(entries.place, excluded.place), trial = coalesce(entries.trial, excluded.trial)`

const WITHDRAW = 'DELETE FROM cornerman_fleet.entries WHERE bot = $1 AND key = $3 AND epoch <= $2'
const SETTLE = 'DELETE FROM cornerman_fleet.entries WHERE bot = $1 AND epoch < $2 AND key <> ALL($3::text[])'

interface EnterRow {
  readonly held: number
  readonly obeys: boolean
  readonly put: number
  readonly placed: string | null
  readonly tried: string | null
  readonly making: string | null
  readonly since: string | null
}

/** What became of an entry that is to be sent. `taken`: another bot of the fleet is there, or tries that mode. */
export type Entered = { readonly status: 'entered' | 'fenced' | 'superseded' | 'late' } | { readonly status: 'taken'; readonly by: string }

export interface FleetEntriesOptions {
  readonly url: string
  /** The number of the operator's word that this host obeys; 0: none was said. */
  readonly obeys: () => number
}

/**
 * Where the bots of a fleet have money, on all of its hosts. A place is one bot's: whoever is to enter is written there first, and no other bot
 * enters until it has left. What was written, and is retried, comes to the same when it is written twice.
 */
export class FleetEntries {
  readonly #asking: FleetConnection
  readonly #telling: FleetConnection
  readonly #obeys: () => number
  /** By bot: its news, one after another. */
  readonly #told = new Map<string, Promise<void>>()
  #isClosed = false

  constructor({ url, obeys }: FleetEntriesOptions) {
    this.#asking = new FleetConnection({ url })
    this.#telling = new FleetConnection({ url })
    this.#obeys = obeys
  }

  /**
   * Before an entry is sent: `superseded` where the operator has said something since that this host does not know, `late` where it is not known.
   */
  async enter({ bot, epoch, run }: Holding, entry: SiblingEntry): Promise<Entered> {
    const { key, trial = null } = entry
    const place = placeOf(entry)
    const values = [key, place, trial, encodeExact(entry), makingOf(entry)]
    try {
      // What it has just left must not be taken back behind its next entry there.
      if (!(await this.#hasTold(bot))) return { status: 'late' }
      for (let tries = 0; tries < TRIES; tries++) {
        const [row] = await this.#asking.ask<EnterRow>(ENTER, [bot, epoch, run, this.#obeys(), ...values], SEND_WITHIN)
        if (row === undefined || row.held === 0) return { status: 'fenced' }
        if (!row.obeys) return { status: 'superseded' }
        if (row.put > 0) return { status: 'entered' }
        const other = [row.placed, row.tried, row.making].find((one) => one !== null && one !== bot)
        if (other !== undefined && other !== null) return { status: 'taken', by: other }
        const isOwn = row.since === String(epoch) && (place === null || row.placed === bot) && (trial === null || row.tried === bot)
        if (isOwn) return { status: 'entered' }
        await this.#asking.ask(WITHDRAW, [bot, epoch, key])
      }
      return { status: 'late' }
    } catch (thrown) {
      if (isOfDatabase(thrown)) return { status: 'late' }
      throw thrown
    }
  }

  /** That the bot has money there. */
  publish({ bot, epoch, run }: Holding, entry: SiblingEntry): void {
    this.#tell(bot, PUBLISH, [bot, epoch, run, entry.key, placeOf(entry), entry.trial ?? null, encodeExact(entry), entry.meant === true])
  }

  /** That it has left. */
  withdraw({ bot, epoch }: Holding, key: string): void {
    this.#tell(bot, WITHDRAW, [bot, epoch, key])
  }

  /** Whether news of a bot are on their way. */
  isTelling(bot: string): boolean {
    return this.#told.has(bot)
  }

  /** Of a bot that was taken over: what the holder before has left, and does not stand any more, goes. */
  settle({ bot, epoch }: Holding, standing: readonly string[]): void {
    this.#tell(bot, SETTLE, [bot, epoch, standing])
  }

  async close(): Promise<void> {
    this.#isClosed = true
    this.#asking.close()
    this.#telling.close()
    await Promise.all(this.#told.values())
  }

  /** Whether it is known within the time in which an entry may leave. */
  async #hasTold(bot: string): Promise<boolean> {
    const told = this.#told.get(bot)
    if (told === undefined) return true
    const giveUp = new AbortController()
    const late = sleep(SEND_WITHIN, false, { signal: giveUp.signal }).catch(() => false)
    const hasTold = await Promise.race([told.then(() => true), late])
    giveUp.abort()
    return hasTold
  }

  #tell(bot: string, text: string, values: readonly unknown[]): void {
    const told = (this.#told.get(bot) ?? Promise.resolve()).then(() => this.#certainly(text, values))
    this.#told.set(bot, told)
    void told.then(() => {
      if (this.#told.get(bot) === told) this.#told.delete(bot)
    })
  }

  /** While the database does not take it, news wait: no place is free for it meanwhile. */
  async #certainly(text: string, values: readonly unknown[]): Promise<void> {
    while (!this.#isClosed) {
      try {
        await this.#telling.ask(text, values)
        return
      } catch (thrown) {
        if (!isOfDatabase(thrown)) throw thrown
        // Of two that publish one place at once the later one has none.
        await sleep(isTaken(thrown) ? 0 : AGAIN_MS)
      }
    }
  }
}

const isTaken = (thrown: unknown): boolean => thrown instanceof CornermanError && thrown.details?.code === '23505'

const isOfDatabase = (thrown: unknown): boolean => thrown instanceof InDoubt || thrown instanceof CornermanError

/** How the keys of others begin that make such a contest as is to be joined. */
function makingOf({ joining }: SiblingEntry): string | null {
  return joining === undefined ? null : `create:${joining.mode}:${joining.stake}:${joining.durationSec === 0 ? '' : joining.durationSec}`
}

/** What of an entry no other bot of the fleet may have. */
function placeOf({ key, contestId, ticket }: SiblingEntry): string | null {
  if (ticket !== undefined) return `terms:${ticket.mode}:${ticket.stake}:${ticket.durationSec}`
  return contestId !== undefined && key.startsWith('seat:') ? `contest:${contestId}` : null
}
