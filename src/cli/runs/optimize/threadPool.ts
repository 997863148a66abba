import { Piscina } from 'piscina'
import { CornermanError } from '../../../core/error.ts'
import type { Answer, Lost, Pool } from '../../../optimize/pool.ts'

export interface PoolOptions {
  /** The module of a worker: its default export takes a job and gives an `Answer`. */
  readonly worker: URL
  readonly workers: number
  /** What each worker is given when it starts. */
  readonly data: unknown
  /** The least time that a job is allowed, in milliseconds. Default: a minute. */
  readonly leastMs?: number
  /** What a worker's heap may grow to, in megabytes. Default: 512. */
  readonly heapMb?: number
  /** How often a job is played before it is lost. Default: 2. */
  readonly attempts?: number
}

/** A job may take so many times what the usual one takes. */
const TIMES_USUAL = 20
const LEAST_MS = 60_000
const ATTEMPTS = 2
const HEAP_MB = 512

/** Plays jobs in threads of their own, so that one that hangs or eats its memory can be ended. */
export class ThreadPool<J, R> implements Pool<J, R> {
  readonly #piscina: Piscina<J, Answer<R>>
  readonly #workers: number
  readonly #leastMs: number
  readonly #attempts: number
  readonly #tookMs: number[] = []

  constructor({ worker, workers, data, leastMs = LEAST_MS, heapMb = HEAP_MB, attempts = ATTEMPTS }: PoolOptions) {
    this.#workers = workers
    this.#leastMs = leastMs
    this.#attempts = attempts
    this.#piscina = new Piscina({
      filename: worker.href,
      ...{ minThreads: 0, maxThreads: workers, concurrentTasksPerWorker: 1, idleTimeout: Number.POSITIVE_INFINITY },
      resourceLimits: { maxOldGenerationSizeMb: heapMb },
      workerData: data,
    })
  }

  async play(jobs: readonly J[], onDone: (index: number, result: R | Lost) => void = () => {}, weight = 1): Promise<readonly (R | Lost)[]> {
    const results: (R | Lost)[] = []
    const left = jobs.entries()
    const playOn = async () => {
      for (const [index, job] of left) {
        const result = await this.#playOne(job, weight)
        results[index] = result
        onDone(index, result)
      }
    }
    // As many at once as there are threads: what a job is allowed begins with its own start.
    await Promise.all(Array.from({ length: this.#workers }, playOn))
    return results
  }

  async close(): Promise<void> {
    await this.#piscina.destroy()
  }

  async #playOne(job: J, weight: number): Promise<R | Lost> {
    for (let attempt = 1; ; attempt++) {
      const startedAt = performance.now()
      try {
        const answer = await this.#piscina.run(job, { signal: AbortSignal.timeout(weight * this.#allowedMs()) })
        if ('code' in answer) throw new CornermanError(answer.code, answer.message)
        this.#tookMs.push((performance.now() - startedAt) / weight)
        return answer.result
      } catch (thrown) {
        if (thrown instanceof CornermanError) throw thrown
        if (attempt >= this.#attempts) return { lost: causeOf(thrown) }
      }
    }
  }

  #allowedMs(): number {
    const sorted = this.#tookMs.toSorted((a, b) => a - b)
    return Math.ceil(Math.max(this.#leastMs, TIMES_USUAL * (sorted[sorted.length >> 1] ?? 0)))
  }
}

function causeOf(thrown: unknown): Lost['lost'] {
  const { name, code } = thrown as { name?: unknown; code?: unknown }
  if (name === 'AbortError') return 'hung'
  return code === 'ERR_WORKER_OUT_OF_MEMORY' ? 'out of memory' : 'ended'
}
