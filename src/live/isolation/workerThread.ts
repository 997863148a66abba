import { MessageChannel, Worker } from 'node:worker_threads'
import type { Clock } from '../../core/clock.ts'
import { CornermanError, messageOf } from '../../core/error.ts'
import type { Note } from '../../pipeline/index.ts'
import { Allowance } from './allowance.ts'
import type { Envelope, Reply, WorkerStart } from './messages.ts'

/** A worker takes about 40 MB to begin with; one that has more than this in use, buffers included, is ended. */
const MOST_MB = 256
const WEIGH_MS = 250
/** V8's own limit is far above that: where a single allocation does not fit under it, V8 ends the whole process. */
const LIMITS = { maxOldGenerationSizeMb: 1024, maxYoungGenerationSizeMb: 32, stackSizeMb: 4 }
const BEAT_MS = 1000
/** Importing a config takes a fraction of a second; on a machine that is busy with much else, some. */
const START_MS = 60_000
/** A worker owes at most so many answers: with more it is as good as stuck, and ended. */
const MOST_OPEN = 10_000
/** Of what a strategy prints: lines a beat, and characters a line; the rest is left out and counted. */
const MOST_LINES = 100
const MOST_CHARACTERS = 500

export interface WorkerThreadOptions {
  readonly start: Omit<WorkerStart, 'port'>
  /** Real time: how long a worker computes is not a matter of the bot's clock. */
  readonly clock: Clock
  /** A worker that works on one task for longer is stuck. */
  readonly stuckAfterMs: number
  readonly onReady: () => void
  /** It has had nothing to do for a beat: time to ask for a sign of life. */
  readonly onIdle: () => void
  readonly onDone: (task: Envelope['task']) => void
  readonly onReply: (reply: Exclude<Reply, { type: 'ready' | 'unfit' | 'done' }>) => void
  /** Told once. `stuckIn`: the task it was at, where it was at one. */
  readonly onEnd: (reason: CornermanError, stuckIn: Envelope['task'] | undefined) => void
  /** What the strategy printed, and what became of it. */
  readonly onLine: (level: Note['level'], text: string) => void
}

interface Open {
  readonly task: Envelope['task']
  readonly at: number
}

/** One worker, from its start to its end: an endless loop, too much memory, or an exit of its own. */
export class WorkerThread {
  readonly #options: WorkerThreadOptions
  readonly #worker: Worker
  readonly #port: MessageChannel['port1']
  /** Tasks that are not done yet, oldest first. */
  readonly #open = new Map<number, Open>()
  readonly #lines = new Allowance(MOST_LINES)
  readonly #startedAt: number
  #isReady = false
  #isEnded = false
  #seq = 0
  #cancel: () => void = () => {}
  #cancelWeighing: () => void = () => {}

  constructor(options: WorkerThreadOptions) {
    this.#options = options
    this.#startedAt = options.clock.now()
    const { port1, port2 } = new MessageChannel()
    this.#port = port1
    this.#worker = new Worker(new URL('./strategyWorker.ts', import.meta.url), {
      name: `strategy ${options.start.place} of ${options.start.bot}`,
      // No key, no argument and no option of the bot's process crosses.
      env: {},
      argv: [],
      execArgv: [],
      stdin: false,
      stdout: true,
      stderr: true,
      resourceLimits: LIMITS,
      workerData: { ...options.start, port: port2 } satisfies WorkerStart,
      transferList: [port2],
    })
    this.#worker.on('error', (thrown) => this.#end(endedBy(thrown)))
    this.#worker.on('exit', (code) => this.#end(new CornermanError('STRATEGY_EXITED', `it ended its worker, with exit code ${code}`)))
    port1.on('message', (reply: Reply) => this.#onReply(reply))
    this.#print(this.#worker.stdout, 'info')
    this.#print(this.#worker.stderr, 'warn')
    this.#beat()
    void this.#weigh()
  }

  get isReady(): boolean {
    return this.#isReady
  }

  /** Whether a task of that kind is still to be done. */
  isAt(isSuch: (task: Envelope['task']) => boolean): boolean {
    for (const { task } of this.#open.values()) if (isSuch(task)) return true
    return false
  }

  post(envelope: Omit<Envelope, 'seq'>): void {
    if (this.#isEnded) return
    if (this.#open.size >= MOST_OPEN) {
      this.#end(new CornermanError('STRATEGY_TIMED_OUT', `it fell behind by ${MOST_OPEN} tasks`))
      return
    }
    const seq = ++this.#seq
    this.#port.postMessage({ ...envelope, seq })
    this.#open.set(seq, { task: envelope.task, at: this.#options.clock.now() })
  }

  /** Ends it without a word to anyone. */
  async close(): Promise<void> {
    this.#isEnded = true
    this.#cancel()
    this.#cancelWeighing()
    this.#port.close()
    await this.#worker.terminate()
  }

  #onReply(reply: Reply): void {
    if (this.#isEnded) return
    switch (reply.type) {
      case 'ready':
        this.#isReady = true
        this.#options.onReady()
        return
      case 'unfit':
        this.#end(new CornermanError('STRATEGY_UNFIT', reply.message))
        return
      case 'done': {
        const done = this.#open.get(reply.seq)
        this.#open.delete(reply.seq)
        // What comes next has the whole time for itself.
        this.#restartOldest()
        if (done !== undefined) this.#options.onDone(done.task)
        return
      }
      case 'answer':
      case 'emission':
      case 'wake':
      case 'log':
        this.#options.onReply(reply)
    }
  }

  #restartOldest(): void {
    for (const [seq, { task }] of this.#open) {
      this.#open.set(seq, { task, at: this.#options.clock.now() })
      return
    }
  }

  /** Looks whether it is stuck; one that has nothing to do is asked for a sign of life. */
  #beat(): void {
    const { clock, stuckAfterMs, onIdle } = this.#options
    const now = clock.now()
    const missed = this.#lines.renew()
    if (missed > 0) this.#options.onLine('warn', `${missed} more lines that it printed were left out`)
    const [oldest] = this.#open.values()
    if (!this.#isReady) {
      if (now - this.#startedAt >= START_MS)
        this.#end(new CornermanError('STRATEGY_UNFIT', `its worker did not start within ${START_MS} ms`))
    } else if (oldest === undefined) onIdle()
    else if (now - oldest.at >= stuckAfterMs)
      this.#end(new CornermanError('STRATEGY_TIMED_OUT', `it did not come to an end within ${stuckAfterMs} ms`))
    if (this.#isEnded) return
    const next = oldest === undefined ? now + BEAT_MS : Math.min(now + BEAT_MS, Math.max(now + 1, oldest.at + stuckAfterMs))
    this.#cancel = clock.at(next, () => this.#beat())
  }

  /** Looks what memory it has in use; of one that is busy in V8 itself the answer comes late, and then it counts as stuck. */
  async #weigh(): Promise<void> {
    const { clock } = this.#options
    const heap = await this.#worker.getHeapStatistics().catch(() => undefined)
    if (this.#isEnded) return
    if (heap !== undefined && heap.used_heap_size + heap.external_memory > MOST_MB * 2 ** 20) this.#end(outOfMemory())
    else this.#cancelWeighing = clock.at(clock.now() + WEIGH_MS, () => void this.#weigh())
  }

  #end(reason: CornermanError): void {
    if (this.#isEnded) return
    const [oldest] = this.#open.values()
    void this.close()
    this.#options.onEnd(reason, oldest?.task)
  }

  #print(stream: NodeJS.ReadableStream, level: Note['level']): void {
    stream.setEncoding('utf8')
    stream.on('data', (text: string) => {
      for (const line of text.split('\n')) {
        if (line.trim() !== '' && this.#lines.take()) this.#options.onLine(level, line.slice(0, MOST_CHARACTERS))
      }
    })
  }
}

const outOfMemory = () => new CornermanError('STRATEGY_OUT_OF_MEMORY', `it took more than the ${MOST_MB} MB that a worker may have`)

function endedBy(thrown: unknown): CornermanError {
  if (thrown instanceof Error && 'code' in thrown && thrown.code === 'ERR_WORKER_OUT_OF_MEMORY') return outOfMemory()
  return new CornermanError('STRATEGY_EXITED', `it failed outside its calls: ${messageOf(thrown)}`, { cause: thrown })
}
