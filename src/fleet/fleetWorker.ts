import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { CornermanError } from '../core/error.ts'
import { type BlockJob, nameOf } from '../optimize/blockJob.ts'
import { isLost, type Lost, type Pool } from '../optimize/pool.ts'
import { resultText } from '../optimize/resultText.ts'
import type { BlockResult } from '../optimize/runBlock.ts'
import type { FleetDatabase } from './database.ts'
import type { FleetKey } from './fleetKey.ts'
import { type JobQueue, MOST_DELIVERIES, type TakenJob } from './jobQueue.ts'
import { isSignedResult, type StatedResult, signatureOf } from './signedResult.ts'

/** How often a worker that has nothing to play asks: at once where it has just played, since a search puts jobs in batches. */
const EAGER_MS = 40
const IDLE_MS = 250
const EAGER_FOR_MS = 10_000
/** Blocks that are shorter are taken ahead, one for each thread: what the database takes to answer would be a part of them. */
const SHORT_MS = 2000
const BEAT_MS = 2000
/** A thread that failed so often with a job, under a worker that lived, has failed by the job. */
const MOST_FAILURES = 3
/** Searches whose log is kept in memory at once. */
const MOST_SWEEPS = 2

export interface FleetWorkerOptions {
  readonly database: FleetDatabase
  readonly queue: JobQueue
  /** Signs what a block came to. */
  readonly key: FleetKey
  readonly host: string
  /** SHA-256 of the framework, and how a person calls it. */
  readonly framework: string
  readonly software: string
  readonly threads: number
  /**
   * Opens threads for a search, each job of which is played once.
   *
   * @throws CornermanError what a search is refused with; nothing of it was loaded then
   */
  readonly open: (sweep: string) => Promise<Pool<BlockJob, BlockResult>>
  readonly onWords?: (words: string) => void
}

interface Opened {
  readonly pool: Promise<Pool<BlockJob, BlockResult>>
  playing: number
}

/** What a worker has done so far. */
export interface WorkerState {
  readonly playing: number
  readonly played: number
  readonly failed: number
  readonly sweeps: number
  /** Milliseconds since the database last answered. */
  readonly answeredMs: number
}

/** Takes jobs of a fleet's queue and plays them, until it is told to stop. */
export class FleetWorker {
  readonly #options: FleetWorkerOptions
  readonly #id = randomUUID()
  readonly #sweeps = new Map<string, Opened>()
  /** What was taken, played or not. */
  readonly #taken = new Map<TakenJob, Promise<void>>()
  /** Who waits for a thread, in turn. */
  readonly #waiting: (() => void)[] = []
  #playing = 0
  #usualMs = Number.POSITIVE_INFINITY
  #lastAt = Number.NEGATIVE_INFINITY
  #broken: { readonly thrown: unknown } | undefined
  #played = 0
  #failed = 0
  #isEnding = false
  #answeredAt = performance.now()

  constructor(options: FleetWorkerOptions) {
    this.#options = options
  }

  state(): WorkerState {
    const answeredMs = performance.now() - this.#answeredAt
    return { playing: this.#playing, played: this.#played, failed: this.#failed, sweeps: this.#sweeps.size, answeredMs }
  }

  /**
   * Works until the signal. What is being played then is handed back.
   *
   * @throws what this host itself cannot do: write its cache, for one
   */
  async run(signal: AbortSignal): Promise<void> {
    await this.#beat()
    const stopped = aborted(signal)
    const beating = this.#beatOn(signal, stopped)
    try {
      while (!signal.aborted && this.#broken === undefined) {
        const { threads, queue } = this.#options
        const room = (this.#usualMs < SHORT_MS ? 2 * threads : threads) - this.#taken.size
        const taken = room > 0 ? await queue.take(room) : []
        this.#answeredAt = performance.now()
        for (const job of taken) this.#begin(job)
        if (room <= 0) await Promise.race([...this.#taken.values(), stopped])
        else if (taken.length === 0) await Promise.race([sleep(this.#idleMs()), stopped])
      }
      if (this.#broken !== undefined) throw this.#broken.thrown
    } finally {
      this.#isEnding = true
      await beating
      await this.#end()
    }
  }

  #idleMs(): number {
    return performance.now() - this.#lastAt < EAGER_FOR_MS ? EAGER_MS : IDLE_MS
  }

  #begin(job: TakenJob): void {
    const ended = this.#play(job)
      .catch((thrown: unknown) => {
        // Of this host, and not of the job: another one may do better.
        this.#broken ??= { thrown }
      })
      .finally(() => this.#taken.delete(job))
    this.#taken.set(job, ended)
  }

  /** Plays a job in the next thread that is free. */
  async #inThread(pool: Pool<BlockJob, BlockResult>, { job, weight }: TakenJob): Promise<BlockResult | Lost> {
    while (this.#playing >= this.#options.threads) await new Promise<void>((resolve) => this.#waiting.push(resolve))
    this.#playing += 1
    const startedAt = performance.now()
    try {
      const [result = { lost: 'ended' as const }] = await pool.play([job], undefined, weight)
      return result
    } finally {
      this.#lastAt = performance.now()
      this.#usualMs = (this.#lastAt - startedAt) / weight
      this.#playing -= 1
      this.#waiting.shift()?.()
    }
  }

  async #play(job: TakenJob): Promise<void> {
    const { queue } = this.#options
    if (job.deliveries >= MOST_DELIVERIES) {
      await this.#record(job, { lost: 'ended' })
      return queue.done(job)
    }
    const opened = this.#opened(job.sweep)
    opened.playing += 1
    try {
      const pool = await opened.pool
      const result = await this.#inThread(pool, job)
      // Its thread was ended with the others: it is handed back.
      if (this.#isEnding) return
      if (isLost(result) && !(await this.#failedFinally(job, result))) return await queue.giveBack(job)
      await this.#record(job, result)
      await queue.done(job)
    } catch (thrown) {
      if (this.#isEnding) return
      if (!(thrown instanceof CornermanError) || thrown.code === 'FLEET_UNREACHABLE') throw thrown
      await this.#fault(job, thrown)
      await queue.done(job)
    } finally {
      opened.playing -= 1
    }
  }

  #opened(sweep: string): Opened {
    const before = this.#sweeps.get(sweep)
    if (before !== undefined) return before
    for (const [other, { playing, pool }] of this.#sweeps) {
      if (this.#sweeps.size < MOST_SWEEPS) break
      if (playing > 0) continue
      this.#sweeps.delete(other)
      void pool.then((opened) => opened.close()).catch(() => {})
    }
    const opened: Opened = { pool: this.#options.open(sweep), playing: 0 }
    // One that could not be opened is opened anew with the next job of it.
    opened.pool.catch(() => this.#sweeps.delete(sweep))
    this.#sweeps.set(sweep, opened)
    return opened
  }

  /** Whether a job has ended its threads so often that it is the job. */
  async #failedFinally({ sweep, job, id, deliveries }: TakenJob, { lost }: Lost): Promise<boolean> {
    this.#failed += 1
    this.#say(`a block was lost (${lost}): ${JSON.stringify(job.values)}`)
    const attempt = `${id}/${deliveries}`
    await this.#options.database.query('INSERT INTO cornerman_fleet.attempts VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING', [
      ...[sweep, nameOf(job), attempt, lost],
    ])
    const [row] = await this.#options.database.query<{ failures: string }>(
      'SELECT count(*) AS failures FROM cornerman_fleet.attempts WHERE sweep = $1 AND job = $2',
      [sweep, nameOf(job)],
    )
    return Number(row?.failures ?? 0) >= MOST_FAILURES
  }

  /** Counts a result, once: of two of one job the first stands, and another one is an error of the search. */
  async #record(taken: TakenJob, result: BlockResult | Lost): Promise<void> {
    const { sweep } = taken
    const [job, body] = [nameOf(taken.job), resultText(result)]
    const stands = await this.#put({ sweep, job, body })
    this.#played += 1
    if (stands === undefined || stands.body === body || isLost(result) || isLost(JSON.parse(stands.body) as object)) return
    const words = `a block was played twice and came to something else: ${JSON.stringify(taken.job.values)}. A strategy asks the clock, chance or the machine`
    throw new CornermanError('TRIAL_NOT_REPEATABLE', words)
  }

  /** @returns the result that stands: of two that workers have signed the first */
  async #put(result: StatedResult): Promise<{ readonly body: string } | undefined> {
    const { database, key } = this.#options
    const { sweep, job, body } = result
    const signature = signatureOf(key, result)
    await database.query('INSERT INTO cornerman_fleet.results VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING', [
      ...[sweep, job, body, this.#id, signature],
    ])
    const [stands] = await database.query<{ body: string; signature: string }>(
      'SELECT body, signature FROM cornerman_fleet.results WHERE sweep = $1 AND job = $2',
      [sweep, job],
    )
    if (stands === undefined || isSignedResult(key, { ...result, body: stands.body }, stands.signature)) return stands
    await database.query(
      'UPDATE cornerman_fleet.results SET body = $3, worker = $4, signature = $5 WHERE sweep = $1 AND job = $2 AND signature = $6',
      [sweep, job, body, this.#id, signature, stands.signature],
    )
    return { body }
  }

  async #fault({ sweep, job }: TakenJob, { code, message }: CornermanError): Promise<void> {
    const words = `${this.#options.host}: ${message}`
    this.#say(`${words} [${code}]`)
    await this.#options.database.query('INSERT INTO cornerman_fleet.faults VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING', [
      ...[sweep, nameOf(job), code, words],
    ])
  }

  async #beatOn(signal: AbortSignal, stopped: Promise<void>): Promise<void> {
    while (!signal.aborted && !this.#isEnding) {
      await Promise.race([sleep(BEAT_MS), stopped])
      // The database may be away: the next one tells it again.
      await this.#beat().catch(() => {})
    }
  }

  async #beat(): Promise<void> {
    const { database, queue, host, framework, software, threads } = this.#options
    await queue.touch([...this.#taken.keys()])
    await database.query(
      `INSERT INTO cornerman_fleet.workers (worker, host, pid, framework, software, threads, playing, played) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
       ON CONFLICT (worker) DO UPDATE SET playing = excluded.playing, played = excluded.played, seen = now()`,
      [this.#id, host, process.pid, framework, software, threads, this.#playing, this.#played],
    )
    this.#answeredAt = performance.now()
  }

  async #end(): Promise<void> {
    const { database, queue } = this.#options
    const left = [...this.#taken.keys()]
    for (const { pool } of this.#sweeps.values()) await pool.then((opened) => opened.close()).catch(() => {})
    for (const job of left) await queue.giveBack(job).catch(() => {})
    await database.query('DELETE FROM cornerman_fleet.workers WHERE worker = $1', [this.#id]).catch(() => {})
  }

  #say(words: string): void {
    this.#options.onWords?.(words)
  }
}

const aborted = (signal: AbortSignal): Promise<void> =>
  signal.aborted ? Promise.resolve() : new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
