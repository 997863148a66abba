import { Subject } from 'rxjs'
import { CornermanError } from '../../core/error.ts'
import type { FleetConnection } from './fleetConnection.ts'

/** A server of the fleet's database, as it says of itself. */
export interface ServerIdentity {
  /** Of its cluster: all servers that follow one another have the same. Undefined where it does not tell. */
  readonly system: string | undefined
  /** Counts promotions. Undefined where it does not tell. */
  readonly timeline: number | undefined
}

/** What this process knows of the servers of one URL. */
export class FleetServers {
  static readonly #known = new Map<string, FleetServers>()
  /** Told once of each server that is left alone, in words. */
  readonly trouble$ = new Subject<string>()
  readonly #told = new Set<string>()
  #system: string | undefined
  #timeline: number | undefined

  static of(url: string): FleetServers {
    const known = FleetServers.#known.get(url) ?? new FleetServers()
    FleetServers.#known.set(url, known)
    return known
  }

  /** Whether it is known which of several servers is the newest primary. */
  get knowsTimeline(): boolean {
    return this.#timeline !== undefined
  }

  /** From now on servers of another cluster are left alone. */
  expect(system: string): void {
    this.#system = system
  }

  /**
   * Why a server that takes writes is left alone; undefined where it is not. One that was promoted later is the primary: the one before it,
   * which came back, would answer no commit, or one that nobody else has.
   */
  refusalOf({ system, timeline }: ServerIdentity, name: string): string | undefined {
    const refusal = this.#refusalOf({ system, timeline })
    if (refusal === undefined) {
      if (timeline !== undefined) this.#timeline = Math.max(this.#timeline ?? 0, timeline)
      return undefined
    }
    if (!this.#told.has(name)) {
      this.#told.add(name)
      this.trouble$.next(`${name} is left alone: ${refusal}`)
    }
    return refusal
  }

  #refusalOf({ system, timeline }: ServerIdentity): string | undefined {
    if (system !== undefined && this.#system !== undefined && system !== this.#system)
      return `it is of another cluster (${system}) than the fleet's (${this.#system})`
    if (timeline !== undefined && this.#timeline !== undefined && timeline < this.#timeline)
      return `it is a primary of before (timeline ${timeline}, and another one is at ${this.#timeline}): end it, and let it follow the new one`
    return undefined
  }
}

const SYSTEM = `
  INSERT INTO cornerman_fleet.facts SELECT 'system', system_identifier::text FROM pg_control_system() ON CONFLICT DO NOTHING`

/**
 * Sees that the database is the one that the fleet was made on; the first that comes is. Nothing where it does not tell.
 *
 * @throws InDoubt
 * @throws CornermanError `FLEET_OTHER_DATABASE`
 */
export async function expectSystem(connection: FleetConnection, url: string): Promise<void> {
  try {
    await connection.ask(SYSTEM)
    const [row] = await connection.ask<{ stated: string; found: string }>(
      `SELECT value AS stated, (SELECT system_identifier::text FROM pg_control_system()) AS found FROM cornerman_fleet.facts WHERE key = 'system'`,
    )
    if (row === undefined) return
    if (row.stated !== row.found)
      throw new CornermanError(
        'FLEET_OTHER_DATABASE',
        `this database is not the one that the fleet was made on (cluster ${row.found}, and it was ${row.stated}): a copy, or a wrong URL. If it was moved and the old one is off for good: cornerman fleet accept-database. Nothing was claimed`,
      )
    FleetServers.of(url).expect(row.stated)
  } catch (thrown) {
    // Not every server lets everybody ask.
    if (!(thrown instanceof CornermanError) || thrown.code !== 'FLEET_REFUSED') throw thrown
  }
}
