import { setTimeout as sleep } from 'node:timers/promises'
import { FleetConnection, InDoubt } from '../database/fleetConnection.ts'
import type { RecordSeal } from '../journal/recordSeal.ts'

const EVERY_MS = 1000
/** What one host shows of all its bots, sealed. */
const MOST_FRAME_BYTES = 64 * 1024

// Of those that hold no bot any more nobody wants to know.
const PUT_AND_READ = `
  WITH put AS (INSERT INTO cornerman_fleet.frames (run, n, body) SELECT $1, $2, $3 WHERE $3::bytea IS NOT NULL
         ON CONFLICT (run) DO UPDATE SET n = excluded.n, body = excluded.body),
       paged AS (UPDATE cornerman_fleet.hosts SET page = $4 WHERE run = $1 AND page IS DISTINCT FROM $4),
       old AS (DELETE FROM cornerman_fleet.frames f WHERE NOT EXISTS (SELECT FROM cornerman_fleet.hosts h WHERE h.run = f.run))
  SELECT f.run::text, f.n::text, f.body, (extract(epoch FROM clock_timestamp() - h.seen) * 1000)::float8 AS silent
    FROM cornerman_fleet.frames f JOIN cornerman_fleet.hosts h ON h.run = f.run
    WHERE f.run <> $1 AND EXISTS (SELECT FROM cornerman_fleet.bots b WHERE b.run = f.run)`

/** What another host has shown last. */
export interface SeenFrame {
  readonly bytes: Buffer
  /** When it was new, by this host's monotonic clock. */
  readonly heardAtMs: number
}

export interface FleetFramesOptions {
  readonly url: string
  /** The id of this process's run. */
  readonly run: string
  /** Of no bot: of the whole fleet. */
  readonly seal: RecordSeal
  /** What this host shows now, in so many bytes at the most; undefined while there is nothing. */
  readonly show: (mostBytes: number) => Uint8Array | undefined
  /** The address of this host's page, without a token; undefined where there is none. */
  readonly page: () => string | undefined
  /** What could not be read of others, told once while it lasts. */
  readonly onTrouble: (thrown: unknown) => void
}

/**
 * What each host shows of the bots it plays, once a second, for the pages of the others. Nobody waits for it: while the database is away, what
 * is known of the others grows old.
 */
export class FleetFrames {
  readonly #options: FleetFramesOptions
  readonly #connection: FleetConnection
  readonly #seen = new Map<string, SeenFrame & { readonly n: number }>()
  #n = 0
  #isTroubled = false
  #isClosed = false

  constructor(options: FleetFramesOptions) {
    this.#options = options
    this.#connection = new FleetConnection(options)
  }

  /** Of the host with this run; undefined where nothing was heard of it. */
  of(run: string): SeenFrame | undefined {
    return this.#seen.get(run)
  }

  /** Shows and looks until it is closed. Never rejects. */
  async run(): Promise<void> {
    while (!this.#isClosed) {
      const began = performance.now()
      try {
        await this.#look()
        this.#isTroubled = false
      } catch (thrown) {
        // That the database is away is seen by those who need it.
        if (!(thrown instanceof InDoubt) && !this.#isClosed) this.#trouble(thrown)
      }
      await sleep(Math.max(0, began + EVERY_MS - performance.now()), undefined, { ref: false })
    }
  }

  close(): void {
    this.#isClosed = true
    this.#connection.close()
  }

  async #look(): Promise<void> {
    const { run, seal, show, page } = this.#options
    const shown = show(MOST_FRAME_BYTES - SEAL_BYTES)
    const n = ++this.#n
    const body = shown === undefined ? null : seal.sealPart(placeOf(run, n), shown)
    const rows = await this.#connection.ask<FrameRow>(PUT_AND_READ, [run, n, body, page() ?? null])
    const now = performance.now()
    const runs = new Set(rows.map((row) => row.run))
    for (const known of this.#seen.keys()) if (!runs.has(known)) this.#seen.delete(known)
    const failures: unknown[] = []
    for (const row of rows) {
      try {
        this.#take(row, now)
      } catch (thrown) {
        failures.push(thrown)
      }
    }
    if (failures.length > 0) throw failures[0]
  }

  #take({ run, n: text, body, silent }: FrameRow, now: number): void {
    const n = Number(text)
    const before = this.#seen.get(run)
    // One that was there before is put back by nobody.
    if (before !== undefined && n <= before.n) return
    const bytes = this.#options.seal.openPart(placeOf(run, n), body)
    // How old the first one is that this host sees, the database alone can say.
    this.#seen.set(run, { n, bytes, heardAtMs: before === undefined ? now - Math.max(0, silent) : now })
  }

  #trouble(thrown: unknown): void {
    if (!this.#isTroubled) this.#options.onTrouble(thrown)
    this.#isTroubled = true
  }
}

interface FrameRow {
  readonly run: string
  readonly n: string
  readonly body: Buffer
  /** How long its host has made no beat, in milliseconds. */
  readonly silent: number
}

/** Of the seal itself. */
const SEAL_BYTES = 64

const placeOf = (run: string, n: number): string => `frame|${run}|${n}`
