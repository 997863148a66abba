import { setTimeout as sleep } from 'node:timers/promises'
import { CornermanError } from '../core/error.ts'
import { type BlockJob, nameOf } from '../optimize/blockJob.ts'
import type { Lost, Pool } from '../optimize/pool.ts'
import { resultOf } from '../optimize/resultText.ts'
import type { BlockResult } from '../optimize/runBlock.ts'
import type { FleetDatabase } from './database.ts'
import type { FleetKey } from './fleetKey.ts'
import { idOf, type JobQueue } from './jobQueue.ts'
import { isSignedResult } from './signedResult.ts'

const ASK_MS = 50
/** How often it is looked after jobs that nobody has. */
const LOOK_AFTER_MS = 5000
/** A job that has no result, and that the queue does not have, is put again after so long. */
const GONE_MS = 60_000

export interface FleetPoolOptions {
  readonly database: FleetDatabase
  readonly queue: JobQueue
  readonly sweep: string
  readonly key: FleetKey
  readonly onWords?: (words: string) => void
  /** Asked now and then while jobs are open. */
  readonly onWait?: () => Promise<void>
}

type ResultRow = Readonly<Record<'body' | 'signature' | 'code' | 'message', string | null>> & { readonly job: string }

interface Open {
  readonly job: BlockJob
  readonly weight: number
  readonly places: number[]
  round: number
  goneSince: number | undefined
}

/** Plays the blocks of a search on whatever workers a fleet has. A job that has a result is never put again. */
export class FleetPool implements Pool<BlockJob, BlockResult> {
  readonly #options: FleetPoolOptions

  constructor(options: FleetPoolOptions) {
    this.#options = options
  }

  /** @throws CornermanError with the code that a worker answered, `FLEET_UNREACHABLE` */
  async play(
    jobs: readonly BlockJob[],
    onDone: (index: number, result: BlockResult | Lost) => void = () => {},
    weight = 1,
  ): Promise<readonly (BlockResult | Lost)[]> {
    const results: (BlockResult | Lost)[] = []
    const open = openOf(jobs, weight)
    const done = (name: string, result: BlockResult | Lost) => {
      for (const place of open.get(name)?.places ?? []) {
        results[place] = result
        onDone(place, result)
      }
      open.delete(name)
    }
    try {
      await this.#collect(open, done)
      await this.#put(open.values())
      // One that an earlier run of the search put, and that came to nothing, is not put by that.
      await this.#lookAfter(open, 0)
      let lookedAt = performance.now()
      while (open.size > 0) {
        await sleep(ASK_MS)
        await this.#collect(open, done)
        if (performance.now() - lookedAt < LOOK_AFTER_MS) continue
        await this.#lookAfter(open, GONE_MS)
        await this.#options.onWait?.()
        lookedAt = performance.now()
      }
    } catch (thrown) {
      await this.#options.queue.withdraw([...open.values()].map((one) => this.#idOf(one))).catch(() => {})
      throw thrown
    }
    return results
  }

  async close(): Promise<void> {
    await this.#options.queue.close()
    await this.#options.database.close()
  }

  async #collect(open: ReadonlyMap<string, Open>, done: (name: string, result: BlockResult | Lost) => void): Promise<void> {
    if (open.size === 0) return
    const { database, sweep, key } = this.#options
    const rows = await database.query<ResultRow>(
      `SELECT job, body, signature, NULL AS code, NULL AS message FROM cornerman_fleet.results WHERE sweep = $1 AND job = ANY($2)
       UNION ALL SELECT job, NULL, NULL, code, message FROM cornerman_fleet.faults WHERE sweep = $1`,
      [sweep, [...open.keys()]],
    )
    for (const { code, message } of rows) if (code !== null) throw new CornermanError(code, message ?? '')
    for (const { job, body, signature } of rows) {
      if (body === null) continue
      if (isSignedResult(key, { sweep, job, body }, signature ?? '')) done(job, resultOf(body))
      else await this.#drop({ job, body }, open.get(job))
    }
  }

  /** It is played once more. */
  async #drop({ job, body }: { readonly job: string; readonly body: string }, open: Open | undefined): Promise<void> {
    const { database, sweep, onWords } = this.#options
    onWords?.(
      `the result of block ${job.slice(0, 12)} was not signed by a worker of this fleet, so it is played once more: find out who can write to the database`,
    )
    await database.query('DELETE FROM cornerman_fleet.results WHERE sweep = $1 AND job = $2 AND body = $3', [sweep, job, body])
    if (open !== undefined) open.goneSince = Number.NEGATIVE_INFINITY
  }

  async #put(jobs: Iterable<Open>): Promise<void> {
    const { queue, sweep } = this.#options
    await queue.put([...jobs].map((one) => ({ id: this.#idOf(one), sweep, job: one.job, weight: one.weight })))
  }

  /** The queue may have lost a job, or given it up. */
  async #lookAfter(open: ReadonlyMap<string, Open>, patienceMs: number): Promise<void> {
    const byId = new Map([...open.values()].map((one) => [this.#idOf(one), one]))
    const gone = new Set(await this.#options.queue.gone([...byId.keys()]))
    const now = performance.now()
    const again: Open[] = []
    for (const [id, one] of byId) {
      one.goneSince = gone.has(id) ? (one.goneSince ?? now) : undefined
      if (one.goneSince === undefined || now - one.goneSince < patienceMs) continue
      one.round += 1
      one.goneSince = undefined
      again.push(one)
    }
    await this.#put(again)
  }

  #idOf({ job, round }: Open): string {
    return idOf(this.#options.sweep, nameOf(job), round)
  }
}

function openOf(jobs: readonly BlockJob[], weight: number): Map<string, Open> {
  const open = new Map<string, Open>()
  for (const [place, job] of jobs.entries()) {
    const name = nameOf(job)
    const before = open.get(name)
    if (before === undefined) open.set(name, { job, weight, places: [place], round: 0, goneSince: undefined })
    else before.places.push(place)
  }
  return open
}
