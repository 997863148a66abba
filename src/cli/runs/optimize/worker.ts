import { Console } from 'node:console'
import { workerData } from 'node:worker_threads'
import type { Terms } from '../../../backtest/index.ts'
import { logOf, type SharedLog } from '../../../backtest/sharedLog.ts'
import type { Mode } from '../../../contract/modes.ts'
import { CornermanError, messageOf } from '../../../core/error.ts'
import { systemClock } from '../../../core/systemClock.ts'
import type { BlockJob } from '../../../optimize/blockJob.ts'
import type { Answer } from '../../../optimize/pool.ts'
import { type BlockResult, runBlock } from '../../../optimize/runBlock.ts'
import { codeOf, loadSubject, type Subject, withValues } from './subject.ts'

// A thread that plays blocks of one search. It loads config and strategies itself, since functions cannot be posted.

export interface WorkerData {
  readonly log: SharedLog
  readonly subject: Subject
  /** Of every mode that a plain policy may enter: found once, on the same log for all. */
  readonly terms: ReadonlyMap<Mode, Terms>
  /** SHA-256 of the bot's config and code, as the search was planned with them. */
  readonly code: string
  /** Unix milliseconds from which the log is sealed; undefined for those who open it. */
  readonly sealedFrom: number | undefined
}

const { log, subject, terms, code, sealedFrom } = workerData as WorkerData
// What a strategy prints is no part of a result.
globalThis.console = new Console(process.stderr)
const data = logOf(log)
const loading = load()
// Whoever plays the first block hears of it.
loading.catch(() => {})

/** Plays one block. Errors of ours are told by their code: between threads they would lose it. */
export default async function play({ values, ...block }: BlockJob): Promise<Answer<BlockResult>> {
  try {
    const { bot, tokens } = await loading
    return { result: await runBlock({ data, bot: withValues(bot, values), tokens, sealedFrom, clock: systemClock }, block) }
  } catch (thrown) {
    const { code, message } = thrown instanceof CornermanError ? thrown : new CornermanError('BLOCK_FAILED', messageOf(thrown))
    return { code, message }
  }
}

async function load(): ReturnType<typeof loadSubject> {
  const loaded = await loadSubject(subject, (mode) => terms.get(mode) as Terms)
  if (codeOf(loaded.bot) === code) return loaded
  throw new CornermanError('CODE_CHANGED', `${subject.config} or a strategy was changed while the search ran: start it anew`)
}
