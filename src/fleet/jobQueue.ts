import { hash } from 'node:crypto'
import type { PgBoss } from 'pg-boss'
import type { BlockJob } from '../optimize/blockJob.ts'
import { type FleetDatabase, load } from './database.ts'

const SCHEMA = 'cornerman_queue'
/** After so long without a sign of life of its worker a job is somebody else's. */
const HEARTBEAT_SECONDS = 10
/** How often it is looked for such jobs; the default of a minute is what a dead worker's job would wait. */
const WATCH_SECONDS = 5
/** The deliveries of a job that its workers died with: more than ever happens by kills alone. */
export const MOST_DELIVERIES = 10
const HALF_A_DAY_SECONDS = 12 * 60 * 60

/** A block of a search that is to be played by somebody. */
export interface FleetJob {
  readonly sweep: string
  readonly job: BlockJob
  /** How many times the usual time it may take. */
  readonly weight: number
}

/** One that was handed to a worker. */
export interface TakenJob extends FleetJob {
  readonly id: string
  /** How often it was handed to somebody before. */
  readonly deliveries: number
}

/** Jobs for workers of one framework: whoever has another version never sees them. */
export class JobQueue {
  readonly #boss: PgBoss
  readonly #database: FleetDatabase
  readonly #name: string

  private constructor(boss: PgBoss, database: FleetDatabase, name: string) {
    this.#boss = boss
    this.#database = database
    this.#name = name
  }

  /** @throws CornermanError `FLEET_PACKAGES` where `pg-boss` is not installed, and what a database is refused with */
  static async open(database: FleetDatabase, framework: string): Promise<JobQueue> {
    const module = await load(() => import('pg-boss'))
    const boss = new module.PgBoss({
      db: { executeSql: (text, values) => database.answer(text, values) },
      ...{ schema: SCHEMA, schedule: false, reindex: false, monitorVacuum: false },
      ...{ superviseIntervalSeconds: WATCH_SECONDS, monitorIntervalSeconds: WATCH_SECONDS },
    })
    // What it does by itself is done again a moment later.
    boss.on('error', () => {})
    await boss.start()
    const name = `blocks-${framework.slice(0, 16)}`
    await boss.createQueue(name, {
      ...{ retryLimit: 10 * MOST_DELIVERIES, retryDelay: 0, heartbeatSeconds: HEARTBEAT_SECONDS },
      ...{ expireInSeconds: HALF_A_DAY_SECONDS, deleteAfterSeconds: HALF_A_DAY_SECONDS },
    })
    return new JobQueue(boss, database, name)
  }

  /** One that is there already, whatever has become of it, is not put again. @param ids of `idOf` */
  async put(jobs: readonly (FleetJob & { readonly id: string })[]): Promise<void> {
    if (jobs.length === 0) return
    await this.#boss.insert(
      this.#name,
      jobs.map(({ id, ...data }) => ({ id, data })),
    )
  }

  async take(count: number): Promise<readonly TakenJob[]> {
    const jobs = await this.#boss.fetch<FleetJob>(this.#name, { batchSize: count, includeMetadata: true })
    return jobs.map(({ id, data, retryCount }) => ({ id, deliveries: retryCount, ...data }))
  }

  /** Says that these are still being played. */
  async touch(jobs: readonly TakenJob[]): Promise<void> {
    if (jobs.length > 0) await this.#boss.touch(this.#name, jobs.map(attemptOf))
  }

  async done(job: TakenJob): Promise<void> {
    await this.#boss.complete(this.#name, attemptOf(job))
  }

  /** Hands it to whoever asks next. */
  async giveBack(job: TakenJob): Promise<void> {
    await this.#boss.fail(this.#name, attemptOf(job))
  }

  /** Which of these nobody plays and nobody will. */
  async gone(ids: readonly string[]): Promise<readonly string[]> {
    const rows = await this.#database.query<{ id: string }>(
      `SELECT id FROM ${SCHEMA}.job WHERE name = $1 AND id = ANY($2::uuid[]) AND state IN ('created', 'retry', 'active')`,
      [this.#name, ids],
    )
    const there = new Set(rows.map(({ id }) => id))
    return ids.filter((id) => !there.has(id))
  }

  /** Takes back what nobody has begun. */
  async withdraw(ids: readonly string[]): Promise<void> {
    await this.#database.query(`DELETE FROM ${SCHEMA}.job WHERE name = $1 AND id = ANY($2::uuid[]) AND state IN ('created', 'retry')`, [
      this.#name,
      ids,
    ])
  }

  async close(): Promise<void> {
    await this.#boss.stop({ graceful: false })
  }
}

/** The id under which a job is put for the nth time. */
export function idOf(sweep: string, name: string, round: number): string {
  const digits = hash('sha256', `${sweep}\n${name}\n${round}`)
  return digits.slice(0, 32).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

const attemptOf = ({ id, deliveries }: TakenJob) => ({ id, retryCount: deliveries })
