import { setTimeout as sleep } from 'node:timers/promises'
import { type FleetConnection, InDoubt } from '../database/fleetConnection.ts'
import type { FleetSight } from './fleetHost.ts'

const AGAIN_MS = 500

// A run's own row is its own still: who was not answered asks again.
const TAKE = `
  WITH old AS (DELETE FROM cornerman_fleet.chores WHERE at < clock_timestamp() - interval '30 days')
  INSERT INTO cornerman_fleet.chores (chore, run) SELECT $1, $2 WHERE $3::text IS NULL OR EXISTS (SELECT FROM cornerman_fleet.chores WHERE chore = $3)
    ON CONFLICT (chore) DO UPDATE SET run = chores.run WHERE chores.run = $2 RETURNING 1`

/** What one host of a fleet does once for all. */
export class FleetChores {
  readonly #connection: FleetConnection
  readonly #run: string
  readonly #asked = new Set<string>()
  #isClosed = false

  constructor(connection: FleetConnection, run: string) {
    this.#connection = connection
    this.#run = run
  }

  /**
   * Whether this host is to do it: one of all hosts is told so, once. Waits while the database is away.
   *
   * @param chore such as `summary:2026-11-27`
   * @param after another one, which somebody was to do before: otherwise nobody is to do this one
   */
  async once(chore: string, after?: string): Promise<boolean> {
    if (this.#asked.has(chore)) return false
    this.#asked.add(chore)
    while (!this.#isClosed) {
      try {
        const rows = await this.#connection.ask(TAKE, [chore, this.#run, after ?? null])
        return rows.length > 0
      } catch (thrown) {
        if (!(thrown instanceof InDoubt)) throw thrown
        await sleep(AGAIN_MS)
      }
    }
    return false
  }

  close(): void {
    this.#isClosed = true
  }
}

/**
 * The host that does what only one may do all the time. All that see the same come to the same one; while one dies, two may take themselves for it for
 * some seconds.
 */
export function firstHostOf({ hosts, wanted }: Pick<FleetSight, 'hosts' | 'wanted'>): string | undefined {
  const able = hosts.filter(({ isAlive, draining, version }) => isAlive && !draining && (wanted === undefined || version === wanted))
  return able.toSorted((a, b) => (a.host < b.host || (a.host === b.host && a.run < b.run) ? -1 : 1))[0]?.run
}
