import type { Clock } from '../../core/clock.ts'
import type { CornermanError } from '../../core/error.ts'
import { Interruption, type Moment, type Note, type Present, type PriceBook, type StrategyResult } from '../../pipeline/index.ts'
import type { Envelope, Feed, Reply, Shown, Task, WorkerStart, World } from './messages.ts'
import { unpacked } from './pack.ts'
import { WorkerThread } from './workerThread.ts'

/** A worker that ends so soon may do so again and again: from the second time on the next one waits, a second at first, at most a minute. */
const SHORT_LIFE_MS = 5000
const LONGEST_REST_MS = 60_000
/**
 * What a new worker has to know of the past is told in pieces, so that the bot is not held up: what is older than the ticks of
 * which every price is remembered, which is little, and then so many ticks at a time.
 */
const REMEMBERED_TICKS = 8192
const TICKS_A_PIECE = 256

export interface StrategyHostOptions {
  readonly name: string
  readonly start: Omit<WorkerStart, 'port'>
  readonly book: PriceBook
  readonly present: Present
  /** The bot's, for periods. */
  readonly clock: Clock
  /** Real time, for how long a worker takes. */
  readonly watch: Clock
  readonly stuckAfterMs: number
  readonly log: (note: Note) => void
}

/** Observables that the worker runs, as the bot's side knows them. */
export interface StreamOptions {
  /** What they are begun with, as of now. */
  readonly shown: () => Shown
  readonly world: () => World
  readonly onEmission: (result: StrategyResult) => void
}

export interface StreamHandle {
  feed(feed: Feed): void
  close(): void
}

interface Call {
  readonly task: Extract<Task, { type: 'ask' }>
  readonly moment: Moment
  readonly settle: PromiseWithResolvers<unknown>
}

interface Stream extends StreamOptions {
  /** Ends the wait for its next period. */
  cancel: () => void
}

/**
 * Speaks with the worker of one strategy, and starts another when that one has ended. What the worker was at when it ended is a
 * fault; other questions are asked again, and other observables end without one. Prices reach it before anything that rests on them.
 */
export class StrategyHost {
  readonly #options: StrategyHostOptions
  readonly #calls = new Map<number, Call>()
  readonly #streams = new Map<number, Stream>()
  readonly #firstStart = Promise.withResolvers<void>()
  #thread: WorkerThread | undefined
  /** Why there is no worker now. */
  #absence: CornermanError | undefined
  #shortLives = 0
  #startedAt = 0
  #cancelRest: () => void = () => {}
  #nextId = 0
  /** The newest tick that this worker has been told of. */
  #toldTick = 0
  /** A tick came while an earlier one was still being worked on: the newest is told once that is done. */
  #owesTick = false
  /** Whether the worker knows the past, and can be asked. */
  #isTaught = false
  #isClosed = false

  constructor(options: StrategyHostOptions) {
    this.#options = options
    // Nobody may be waiting for it.
    this.#firstStart.promise.catch(() => {})
    this.#startThread()
  }

  /**
   * Resolves once the first worker can be asked.
   *
   * @throws CornermanError `STRATEGY_UNFIT` where the config does not load in a worker, and the like
   */
  ready(): Promise<void> {
    return this.#firstStart.promise
  }

  ask(shown: object): Promise<unknown> {
    if (this.#absence !== undefined) return Promise.reject(this.#absence)
    const call: Call = {
      task: { type: 'ask', id: ++this.#nextId, shown },
      moment: this.#options.present.moment(),
      settle: Promise.withResolvers<unknown>(),
    }
    this.#calls.set(call.task.id, call)
    if (this.#isTaught) this.#post(call.task, call.moment)
    return call.settle.promise
  }

  open(options: StreamOptions): StreamHandle {
    const id = ++this.#nextId
    const stream: Stream = { ...options, cancel: () => {} }
    this.#streams.set(id, stream)
    if (this.#isTaught) this.#begin(id, stream)
    else if (this.#absence !== undefined) stream.onEmission({ ok: false, thrown: this.#absence })
    return {
      feed: (feed) => {
        // What has not begun yet begins with how things stand by then.
        if (this.#isTaught && this.#streams.has(id)) this.#post({ type: 'feed', id, feed, world: stream.world() })
      },
      close: () => {
        stream.cancel()
        if (this.#streams.delete(id) && this.#isTaught) this.#post({ type: 'close', id })
      },
    }
  }

  /** Prices are new. A worker that is still at earlier ones is told of the newest alone, when it has done; its history has them all. */
  tick(): void {
    if (!this.#isTaught) return
    this.#owesTick = this.#thread?.isAt(isTick) === true
    if (this.#owesTick) return
    this.#post({ type: 'tick' })
    for (const [id, { world }] of this.#streams) this.#post({ type: 'feed', id, feed: { of: 'tick' }, world: world() })
  }

  async close(): Promise<void> {
    this.#isClosed = true
    this.#cancelRest()
    for (const { cancel } of this.#streams.values()) cancel()
    this.#firstStart.resolve()
    await this.#thread?.close()
  }

  #startThread(): void {
    const { start, watch, stuckAfterMs, name, log } = this.#options
    this.#absence = undefined
    this.#toldTick = 0
    this.#isTaught = false
    this.#thread = new WorkerThread({
      ...{ start, clock: watch, stuckAfterMs },
      onReady: () => {
        this.#startedAt = watch.now()
        this.#teach()
      },
      onIdle: () => this.#post({ type: 'ping' }),
      onDone: (task) => {
        if (task.type === 'past') this.#teach()
        else if (this.#owesTick && isTick(task)) this.tick()
      },
      onReply: (reply) => this.#onReply(reply),
      onEnd: (reason, stuckIn) => this.#onEnd(reason, stuckIn),
      onLine: (level, message) => log({ level, message, fields: { strategy: name } }),
    })
  }

  /** Tells a new worker what it has to know, a piece after the other, and then what it has to do. */
  #teach(): void {
    const { moment } = this.#options.present
    const { tick } = moment()
    const upTo = this.#toldTick === 0 ? Math.max(TICKS_A_PIECE, tick - REMEMBERED_TICKS) : this.#toldTick + TICKS_A_PIECE
    if (upTo < tick) {
      this.#post({ type: 'past' }, { ...moment(), tick: upTo })
      return
    }
    this.#isTaught = true
    for (const { task, moment } of this.#calls.values()) this.#post(task, moment)
    for (const [id, stream] of this.#streams) this.#begin(id, stream)
    this.#firstStart.resolve()
  }

  #post(task: Task, moment = this.#options.present.moment()): void {
    const { tick } = moment
    const updates = tick > this.#toldTick ? this.#options.book.updates(this.#toldTick, tick) : []
    this.#thread?.post({ moment, updates, task })
    this.#toldTick = Math.max(this.#toldTick, tick)
  }

  #begin(id: number, { shown, world }: Stream): void {
    this.#post({ type: 'open', id, shown: shown(), world: world() })
  }

  #onReply(reply: Exclude<Reply, { type: 'ready' | 'unfit' | 'done' }>): void {
    switch (reply.type) {
      case 'answer': {
        const call = this.#calls.get(reply.id)
        this.#calls.delete(reply.id)
        const result = unpacked(reply.result)
        if (result.ok) call?.settle.resolve(result.value)
        else call?.settle.reject(result.thrown)
        return
      }
      case 'emission':
        this.#streams.get(reply.id)?.onEmission(unpacked(reply.result))
        return
      case 'wake':
        this.#setPeriod(reply.id, reply.at)
        return
      case 'log':
        this.#options.log(reply.note)
        return
    }
  }

  #setPeriod(id: number, at: number | undefined): void {
    const stream = this.#streams.get(id)
    if (stream === undefined) return
    const { clock, present } = this.#options
    stream.cancel()
    stream.cancel = () => {}
    if (at === undefined) return
    stream.cancel = clock.at(at, () => {
      const moment = { ...present.moment(), at: Math.max(clock.now(), at) }
      this.#post({ type: 'feed', id, feed: { of: 'time', isTold: present.isCaughtUp() }, world: stream.world() }, moment)
    })
  }

  #onEnd(reason: CornermanError, stuckIn: Envelope['task'] | undefined): void {
    const hasRun = this.#thread?.isReady === true
    this.#thread = undefined
    this.#isTaught = false
    if (this.#isClosed) return
    const { log, name, watch } = this.#options
    this.#shortLives = hasRun && watch.now() - this.#startedAt > SHORT_LIFE_MS ? 0 : this.#shortLives + 1
    const goesOn = hasRun && this.#shortLives <= 1
    log({
      level: 'warn',
      message: `the worker of strategy ${name} has ended: ${reason.message}`,
      fields: { strategy: name, code: reason.code },
    })
    this.#firstStart.reject(reason)
    if (goesOn) this.#startThread()
    else this.#rest(reason)
    // What it was at is to blame; where that is not known, or there is no worker to go on with, everything is.
    const culprit = goesOn && stuckIn !== undefined && 'id' in stuckIn ? stuckIn.id : undefined
    const isToBlame = (id: number) => culprit === undefined || culprit === id
    for (const [id, { settle }] of [...this.#calls]) {
      if (!isToBlame(id)) continue
      this.#calls.delete(id)
      settle.reject(reason)
    }
    for (const [id, stream] of [...this.#streams]) {
      stream.cancel()
      // Whoever listens to it closes it, and opens another when it is time: a swap that it asked for may still be under way.
      const thrown = isToBlame(id) ? reason : new Interruption('its worker has ended, and it was not to blame')
      stream.onEmission({ ok: false, thrown })
    }
  }

  #rest(reason: CornermanError): void {
    const { watch } = this.#options
    this.#absence = reason
    const restMs = Math.min(LONGEST_REST_MS, 500 * 2 ** this.#shortLives)
    this.#cancelRest = watch.at(watch.now() + restMs, () => this.#startThread())
  }
}

const isTick = (task: Task): boolean => task.type === 'tick' || (task.type === 'feed' && task.feed.of === 'tick')
