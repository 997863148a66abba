import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { CornermanError, messageOf } from '../core/error.ts'
import { type BlockJob, nameOf } from '../optimize/blockJob.ts'
import { isLost, type Lost, type Pool } from '../optimize/pool.ts'
import { resultText } from '../optimize/resultText.ts'
import type { BlockResult } from '../optimize/runBlock.ts'
import type { FleetDatabase } from './database.ts'
import { type JobQueue, MOST_DELIVERIES, type TakenJob } from './jobQueue.ts'

/** Nothing is asked for longer than this while a thread is free. */
const IDLE_MS = 150
const BEAT_MS = 2000
/** A thread that failed so often with a job, under a worker that lived, has failed by the job. */
const MOST_FAILURES = 3
/** Searches whose log is kept in memory at once. */
const MOST_SWEEPS = 2

export interface FleetWorkerOptions {
  readonly database: FleetDatabase
  readonly queue: JobQueue
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
  readonly #playing = new Map<TakenJob, Promise<void>>()
  #played = 0
  #failed = 0
  #isEnding = false
  #answeredAt = performance.now()

  constructor(options: FleetWorkerOptions) {
    this.#options = options
  }

  state(): WorkerState {
    const answeredMs = performance.now() - this.#answeredAt
    return { playing: this.#playing.size, played: this.#played, failed: this.#failed, sweeps: this.#sweeps.size, answeredMs }
  }

  /**
   * Works until the signal. What is being played then is handed back.
   *
   * @throws CornermanError `FLEET_UNREACHABLE`
   */
  async run(signal: AbortSignal): Promise<void> {
    await this.#beat()
    const stopped = aborted(signal)
    const beating = this.#beatOn(signal, stopped)
    try {
      while (!signal.aborted) {
        const free = this.#options.threads - this.#playing.size
        const taken = free > 0 ? await this.#options.queue.take(free) : []
        this.#answeredAt = performance.now()
        for (const job of taken) this.#begin(job)
        if (this.#playing.size === this.#options.threads) await Promise.race([...this.#playing.values(), stopped])
        else if (taken.length === 0) await Promise.race([sleep(IDLE_MS), ...this.#playing.values()])
      }
    } finally {
      await beating
      await this.#end()
    }
  }

  #begin(job: TakenJob): void {
    const playing = this.#play(job)
      .catch((thrown: unknown) => this.#say(messageOf(thrown)))
      .finally(() => this.#playing.delete(job))
    this.#playing.set(job, playing)
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
      const [result = { lost: 'ended' as const }] = await pool.play([job.job])
      // Its thread was ended with the others: it is handed back.
      if (this.#isEnding) return
      if (isLost(result) && !(await this.#failedFinally(job, result))) return await queue.giveBack(job)
      await this.#record(job, result)
      await queue.done(job)
    } catch (thrown) {
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
    const { database } = this.#options
    const [sweep, job, body] = [taken.sweep, nameOf(taken.job), resultText(result)]
    await database.query('INSERT INTO cornerman_fleet.results VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING', [sweep, job, body, this.#id])
    const [stands] = await database.query<{ body: string }>('SELECT body FROM cornerman_fleet.results WHERE sweep = $1 AND job = $2', [
      ...[sweep, job],
    ])
    this.#played += 1
    if (stands === undefined || stands.body === body || isLost(result) || isLost(JSON.parse(stands.body) as object)) return
    const words = `a block was played twice and came to something else: ${JSON.stringify(taken.job.values)}. A strategy asks the clock, chance or the machine`
    throw new CornermanError('TRIAL_NOT_REPEATABLE', words)
  }

  async #fault({ sweep, job }: TakenJob, { code, message }: CornermanError): Promise<void> {
    const words = `${this.#options.host}: ${message}`
    this.#say(`${words} [${code}]`)
    await this.#options.database.query('INSERT INTO cornerman_fleet.faults VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING', [
      ...[sweep, nameOf(job), code, words],
    ])
  }

  async #beatOn(signal: AbortSignal, stopped: Promise<void>): Promise<void> {
    while (!signal.aborted) {
      await Promise.race([sleep(BEAT_MS), stopped])
      // The database may be away: the next one tells it again.
      await this.#beat().catch(() => {})
    }
  }

  async #beat(): Promise<void> {
    const { database, queue, host, framework, software, threads } = this.#options
    await queue.touch([...this.#playing.keys()])
    await database.query(
      `INSERT INTO cornerman_fleet.workers (worker, host, pid, framework, software, threads, playing, played) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
       ON CONFLICT (worker) DO UPDATE SET playing = excluded.playing, played = excluded.played, seen = now()`,
      [this.#id, host, process.pid, framework, software, threads, this.#playing.size, this.#played],
    )
    this.#answeredAt = performance.now()
  }

  async #end(): Promise<void> {
    const { database, queue } = this.#options
    this.#isEnding = true
    const left = [...this.#playing.keys()]
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
