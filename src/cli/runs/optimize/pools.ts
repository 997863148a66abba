import { availableParallelism, freemem } from 'node:os'
import { extname } from 'node:path'
import type { Terms } from '../../../backtest/index.ts'
import type { SharedLog } from '../../../backtest/sharedLog.ts'
import type { Mode } from '../../../contract/modes.ts'
import type { BlockJob } from '../../../optimize/blockJob.ts'
import type { Pool } from '../../../optimize/pool.ts'
import type { BlockResult } from '../../../optimize/runBlock.ts'
import type { Subject } from './subject.ts'
import { ThreadPool } from './threadPool.ts'
import type { WorkerData } from './worker.ts'

/** What a worker takes beside the log, in bytes. */
const A_WORKER = 300e6

/** A core is left for the rest of the machine. */
export const usualWorkers = (): number => Math.max(1, Math.min(availableParallelism() - 1, Math.floor(freemem() / A_WORKER)))

export interface PoolsOptions {
  readonly subject: Subject
  readonly terms: ReadonlyMap<Mode, Terms>
  readonly code: string
}

export interface OpenOptions {
  readonly log: SharedLog
  /** Unix milliseconds; undefined for those that may see all of it. */
  readonly sealedFrom: number | undefined
  readonly workers: number
  /** How often a block is played before it is lost. Default: that of `ThreadPool`. */
  readonly attempts?: number
}

/** Opens threads that play one bot on a log. */
export function openPool(
  { subject, terms, code }: PoolsOptions,
  { log, sealedFrom, workers, attempts }: OpenOptions,
): Pool<BlockJob, BlockResult> {
  const given: WorkerData = { log, subject, terms, code, sealedFrom }
  return new ThreadPool({
    worker: new URL(`./worker${extname(import.meta.filename)}`, import.meta.url),
    workers,
    data: given,
    ...(attempts === undefined ? {} : { attempts }),
  })
}
