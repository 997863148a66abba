import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, extname } from 'node:path'
import type { Duplex, Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import type { Clock } from '../../core/clock.ts'
import { CornermanError } from '../../core/error.ts'
import type { Moment, Note, PriceBook } from '../../pipeline/index.ts'
import { Allowance } from './allowance.ts'
import { FrameReader, framed } from './frames.ts'
import type { Grants } from './grants.ts'
import type { Hosting, Order, ProcessStart, Reply, Said, Task } from './messages.ts'
import { readReply } from './readReply.ts'

/** What V8 may take for objects, and the process in all: it takes some 80 MB to begin with. */
const MOST_HEAP_MB = 256
const MOST_MB = 512
const WEIGH_MS = 250
const BEAT_MS = 1000
/** Importing a config takes a fraction of a second; on a machine that is busy with much else, some. */
const START_MS = 60_000
/** A process owes at most so many answers, and so much waits to be read by it: with more it is as good as stuck, and ended. */
const MOST_OPEN = 10_000
const MOST_UNREAD_BYTES = 64 * 2 ** 20
/** Of what it says: bytes of one message, which is an answer or log lines; messages and bytes a beat. */
const MOST_MESSAGE_BYTES = 2 ** 20
const MOST_BEAT_BYTES = 64 * 2 ** 20
/** Of what a strategy prints: lines a beat, and characters a line; the rest is left out and counted. */
const MOST_LINES = 100
const MOST_CHARACTERS = 500
const PAGE_BYTES = 4096

/** What is to blame for the end of a process: the task it was at, perhaps another strategy, or nobody knows. */
export type Blame = Task | 'another' | 'unknown'

/** What one strategy is told of its process. */
export interface LaneListener {
  readonly name: string
  readonly onReady: () => void
  readonly onDone: (task: Task) => void
  readonly onReply: (said: Said) => void
  /** Told once. */
  readonly onEnd: (reason: CornermanError, blame: Blame) => void
}

export interface StrategyProcessOptions {
  readonly start: ProcessStart
  readonly grants: Grants
  readonly book: PriceBook
  /** As of now. */
  readonly moment: () => Moment
  /** Real time: how long a process computes is not a matter of the bot's clock. */
  readonly clock: Clock
  /** A process that works on one task for longer is stuck; one that several strategies are in is after half of it, so that the others are asked again in their time. */
  readonly stuckAfterMs: number
  /** What the strategies printed, and what became of it. */
  readonly onLine: (level: Note['level'], text: string, strategies: string) => void
  /** @param suspects places of those that may be to blame, where several were in it: they are in none with others any more */
  readonly onEnd: (ended: StrategyProcess, suspects: readonly number[]) => void
}

interface Open {
  readonly place: number | undefined
  readonly task: Task
  readonly at: number
}

/** One isolated process, for some of a bot's strategies, from its start to its end: an endless loop, too much memory, or an exit of its own. */
export class StrategyProcess {
  readonly #options: StrategyProcessOptions
  readonly #child: ChildProcess
  readonly #channel: Duplex
  readonly #lanes = new Map<number, Lane>()
  /** Tasks that are not done yet, oldest first. */
  readonly #open = new Map<number, Open>()
  readonly #lines = new Allowance(MOST_LINES)
  readonly #startedAt: number
  readonly #closed: Promise<void>
  #toldTick = 0
  #isEnded = false
  /** Whether the config was imported, with whatever result. */
  #hasStarted = false
  #seq = 0
  #heardBytes = 0
  #ranOutOfHeap = false
  #cancel: () => void = () => {}
  #cancelWeighing: () => void = () => {}

  constructor(options: StrategyProcessOptions) {
    this.#options = options
    const { start, grants, clock } = options
    this.#startedAt = clock.now()
    const flags = [
      '--permission',
      // It opens any file, whatever the permissions say.
      '--no-experimental-sqlite',
      '--disable-warning=ExperimentalWarning',
      `--max-old-space-size=${MOST_HEAP_MB}`,
      ...grants.read.map((path) => `--allow-fs-read=${path}`),
    ]
    const main = fileURLToPath(new URL(`./processMain${extname(import.meta.filename)}`, import.meta.url))
    this.#child = spawn(process.execPath, [...flags, main], {
      cwd: dirname(start.file),
      env: { ...(process.platform === 'win32' ? { SystemRoot: process.env.SystemRoot } : {}), ...grants.env },
      stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
      // Not in the bot's process group: it can be sent no signal that is meant for that.
      detached: true,
      windowsHide: true,
    })
    this.#channel = this.#child.stdio[3] as Duplex
    const closed = Promise.withResolvers<void>()
    this.#closed = closed.promise
    // What it had said by then has been read.
    this.#child.on('close', (code, signal) => {
      closed.resolve()
      this.#end(this.#ranOutOfHeap || signal === 'SIGABRT' ? outOfMemory() : exited(code, signal))
    })
    this.#child.on('error', (thrown) => this.#end(new CornermanError('STRATEGY_EXITED', `its process did not start: ${thrown.message}`)))
    // It may have ended; `close` says so.
    this.#channel.on('error', () => {})
    const frames = new FrameReader(MOST_MESSAGE_BYTES)
    this.#channel.on('data', (piece: Buffer) => this.#hear(frames, piece))
    this.#print(this.#child.stdout, 'info')
    this.#print(this.#child.stderr, 'warn')
    this.#say({ type: 'start', ...start })
    // Where memory runs out, it is this process that the system ends.
    if (process.platform === 'linux') attempt(() => writeFileSync(`/proc/${this.#child.pid}/oom_score_adj`, '1000'))
    this.#beat()
    this.#weigh()
  }

  get isEnded(): boolean {
    return this.#isEnded
  }

  /** The newest tick that it has been told of. */
  get toldTick(): number {
    return this.#toldTick
  }

  /** What it takes, in bytes; undefined where the system does not say. */
  get residentBytes(): number | undefined {
    if (process.platform !== 'linux') return undefined
    const statm = attempt(() => readFileSync(`/proc/${this.#child.pid}/statm`, 'utf8'))
    return statm === undefined ? undefined : Number(statm.split(' ')[1]) * PAGE_BYTES
  }

  get pid(): number | undefined {
    return this.#child.pid
  }

  /** Lets another strategy run in it. */
  add(hosting: Hosting, listener: LaneListener): Lane {
    const { place } = hosting
    const lane = new Lane(listener, {
      process: this,
      post: (task, moment) => this.#post(place, task, moment),
      isAt: (isSuch) => [...this.#open.values()].some((open) => open.place === place && isSuch(open.task)),
      leave: () => this.#leave(place),
    })
    this.#lanes.set(place, lane)
    this.#say({ type: 'host', ...hosting })
    return lane
  }

  /** Ends it without a word to anyone. */
  async close(): Promise<void> {
    this.#stop()
    await this.#closed
  }

  #stop(): void {
    this.#isEnded = true
    this.#cancel()
    this.#cancelWeighing()
    this.#child.kill('SIGKILL')
    this.#channel.destroy()
  }

  async #leave(place: number): Promise<void> {
    this.#lanes.delete(place)
    if (this.#lanes.size === 0) await this.close()
    else this.#say({ type: 'leave', place })
  }

  #post(place: number | undefined, task: Task, moment = this.#options.moment()): void {
    if (this.#isEnded) return
    if (this.#open.size >= MOST_OPEN || this.#channel.writableLength > MOST_UNREAD_BYTES) {
      this.#end(new CornermanError('STRATEGY_TIMED_OUT', `it fell behind by ${this.#open.size} tasks`))
      return
    }
    const { tick } = moment
    const updates = tick > this.#toldTick ? this.#options.book.updates(this.#toldTick, tick) : []
    this.#toldTick = Math.max(this.#toldTick, tick)
    const seq = ++this.#seq
    this.#open.set(seq, { place, task, at: this.#options.clock.now() })
    this.#say({ type: 'task', seq, place, moment, updates, task })
  }

  #say(order: Order): void {
    if (!this.#isEnded) this.#channel.write(framed(order))
  }

  #hear(frames: FrameReader, piece: Buffer): void {
    if (this.#isEnded) return
    this.#heardBytes += piece.length
    try {
      if (this.#heardBytes > MOST_BEAT_BYTES) throw new RangeError(`${this.#heardBytes} bytes within a second`)
      for (const message of frames.read(piece)) {
        const reply = readReply(message)
        if (reply === undefined) throw new RangeError('something that no strategy says')
        this.#onReply(reply)
        if (this.#isEnded) return
      }
    } catch (thrown) {
      this.#end(new CornermanError('STRATEGY_FLOODS', `its process said ${thrown instanceof RangeError ? thrown.message : 'nonsense'}`))
    }
  }

  #onReply(reply: Reply): void {
    switch (reply.type) {
      case 'ready':
        this.#hasStarted = true
        this.#lanes.get(reply.place)?.becomesReady()
        return
      case 'unfit': {
        this.#hasStarted = true
        const lane = this.#lanes.get(reply.place)
        if (lane === undefined) return
        void this.#leave(reply.place)
        lane.listener.onEnd(new CornermanError('STRATEGY_UNFIT', reply.message), 'unknown')
        return
      }
      case 'done': {
        const done = this.#open.get(reply.seq)
        this.#open.delete(reply.seq)
        // What comes next has the whole time for itself.
        this.#restartOldest()
        if (done?.place !== undefined) this.#lanes.get(done.place)?.listener.onDone(done.task)
        return
      }
      case 'fatal':
        this.#end(new CornermanError('STRATEGY_EXITED', `it failed outside its calls: ${reply.message}`))
        return
      case 'weight':
        if (reply.bytes > MOST_MB * 2 ** 20) this.#end(outOfMemory())
        return
      case 'answer':
      case 'emission':
      case 'wake':
      case 'log':
        this.#lanes.get(reply.place)?.listener.onReply(reply)
    }
  }

  #restartOldest(): void {
    for (const [seq, open] of this.#open) {
      this.#open.set(seq, { ...open, at: this.#options.clock.now() })
      return
    }
  }

  /** Looks whether it is stuck; one that has nothing to do is asked for a sign of life. */
  #beat(): void {
    const { clock } = this.#options
    const stuckAfterMs = this.#stuckAfterMs
    const now = clock.now()
    this.#heardBytes = 0
    const missed = this.#lines.renew()
    if (missed > 0) this.#tell('warn', `${missed} more lines that it printed were left out`)
    for (const stream of [this.#child.stdout, this.#child.stderr]) stream?.resume()
    const [oldest] = this.#open.values()
    if (!this.#hasStarted) {
      if (now - this.#startedAt >= START_MS)
        this.#end(new CornermanError('STRATEGY_UNFIT', `its process did not start within ${START_MS} ms`))
    } else if (oldest === undefined) this.#post(undefined, { type: 'ping' })
    else if (now - oldest.at >= stuckAfterMs)
      this.#end(new CornermanError('STRATEGY_TIMED_OUT', `it did not come to an end within ${stuckAfterMs} ms`))
    if (this.#isEnded) return
    const next = oldest === undefined ? now + BEAT_MS : Math.min(now + BEAT_MS, Math.max(now + 1, oldest.at + stuckAfterMs))
    this.#cancel = clock.at(next, () => this.#beat())
  }

  get #stuckAfterMs(): number {
    const { stuckAfterMs } = this.#options
    return this.#lanes.size > 1 ? stuckAfterMs / 2 : stuckAfterMs
  }

  /** Looks what it takes of the machine's memory: buffers are no part of what V8 bounds. */
  #weigh(): void {
    const { clock } = this.#options
    if (this.#isEnded) return
    if ((this.residentBytes ?? 0) > MOST_MB * 2 ** 20) this.#end(outOfMemory())
    else this.#cancelWeighing = clock.at(clock.now() + WEIGH_MS, () => this.#weigh())
  }

  #end(reason: CornermanError): void {
    if (this.#isEnded) return
    this.#stop()
    const [oldest] = this.#open.values()
    const lanes = [...this.#lanes.values()]
    // What several are in may have been ended by any of them, between two tasks as well as in one: whose task it was at is known for sure
    // the next time, when it is alone.
    const isShared = lanes.length > 1
    const suspects = !isShared ? [] : oldest?.place === undefined ? [...this.#lanes.keys()] : [oldest.place]
    if (isShared) {
      const names = suspects.length === lanes.length ? 'each' : (this.#lanes.get(suspects[0] ?? 0)?.listener.name ?? 'one')
      this.#tell('warn', `their process has ended, and ${names} has one of its own from now on: ${reason.message}`)
    }
    this.#options.onEnd(this, suspects)
    for (const { listener } of lanes) listener.onEnd(reason, isShared ? 'another' : (oldest?.task ?? 'unknown'))
  }

  #tell(level: Note['level'], text: string): void {
    this.#options.onLine(level, text, [...this.#lanes.values()].map(({ listener }) => listener.name).join(', '))
  }

  #print(stream: Readable | null, level: Note['level']): void {
    stream?.setEncoding('utf8')
    stream?.on('data', (text: string) => {
      if (text.includes('heap out of memory')) this.#ranOutOfHeap = true
      for (const line of text.split('\n')) {
        if (line.trim() === '') continue
        if (this.#lines.take()) this.#tell(level, line.slice(0, MOST_CHARACTERS))
        // Whoever prints on waits until the next beat.
        else stream.pause()
      }
    })
  }
}

/** A strategy in its process, as the bot's side holds it. */
export class Lane {
  readonly listener: LaneListener
  readonly #own: LaneOptions
  #isReady = false

  constructor(listener: LaneListener, own: LaneOptions) {
    this.listener = listener
    this.#own = own
  }

  get isReady(): boolean {
    return this.#isReady
  }

  get toldTick(): number {
    return this.#own.process.toldTick
  }

  /** Whether a task of that kind is still to be done. */
  isAt(isSuch: (task: Task) => boolean): boolean {
    return this.#own.isAt(isSuch)
  }

  post(task: Task, moment?: Moment): void {
    this.#own.post(task, moment)
  }

  becomesReady(): void {
    this.#isReady = true
    this.listener.onReady()
  }

  /** Ends it without a word to anyone, and its process with the last one in it. */
  close(): Promise<void> {
    return this.#own.leave()
  }
}

interface LaneOptions {
  readonly process: StrategyProcess
  readonly post: (task: Task, moment: Moment | undefined) => void
  readonly isAt: (isSuch: (task: Task) => boolean) => boolean
  readonly leave: () => Promise<void>
}

const outOfMemory = () =>
  new CornermanError(
    'STRATEGY_OUT_OF_MEMORY',
    `it took more than the ${MOST_MB} MB, or the ${MOST_HEAP_MB} MB of objects, that a process may have`,
  )

const exited = (code: number | null, signal: string | null) =>
  new CornermanError('STRATEGY_EXITED', `it ended its process, ${code === null ? `by ${signal}` : `with exit code ${code}`}`)

function attempt<T>(work: () => T): T | undefined {
  try {
    return work()
  } catch {
    return undefined
  }
}
