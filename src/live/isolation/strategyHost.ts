import { backoffMs } from '../../core/backoff.ts'
import type { Clock } from '../../core/clock.ts'
import type { CornermanError } from '../../core/error.ts'
import { Interruption, type Moment, type Note, type Present, type PriceBook, type StrategyResult } from '../../pipeline/index.ts'
import type { Feed, Said, Shown, Task, World } from './messages.ts'
import { unpacked } from './pack.ts'
import type { Blame, Lane, LaneListener } from './strategyProcess.ts'

/** A process that ends so soon may do so again and again: from the second time on the next one waits, a second at first, at most a minute. */
const SHORT_LIFE_MS = 5000
const LONGEST_REST_MS = 60_000
/**
 * What a new process has to know of the past is told in pieces, so that the bot is not held up: what is older than the ticks of
 * which every price is remembered, which is little, and then so many ticks at a time.
 */
const REMEMBERED_TICKS = 8192
const TICKS_A_PIECE = 256

export interface StrategyHostOptions {
  readonly name: string
  readonly book: PriceBook
  readonly present: Present
  /** The bot's, for periods. */
  readonly clock: Clock
  /** Real time, for how long a process takes. */
  readonly watch: Clock
  /** Begins to run the strategy, in a process that others may be in too. */
  readonly open: (listener: LaneListener) => Lane
  readonly log: (note: Note) => void
}

/** Observables that the process runs, as the bot's side knows them. */
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
 * Speaks with the process of one strategy, and starts another when that one has ended. What the worker was at when it ended is a
 * fault; other questions are asked again, and other observables end without one. Prices reach it before anything that rests on them.
 */
export class StrategyHost {
  readonly #options: StrategyHostOptions
  readonly #calls = new Map<number, Call>()
  readonly #streams = new Map<number, Stream>()
  readonly #firstStart = Promise.withResolvers<void>()
  #lane: Lane | undefined
  /** Why there is no process now. */
  #absence: CornermanError | undefined
  #shortLives = 0
  #startedAt = 0
  #cancelRest: () => void = () => {}
  #nextId = 0
  /** A tick came while an earlier one was still being worked on: the newest is told once that is done. */
  #owesTick = false
  /** Whether the process knows the past, and can be asked. */
  #isTaught = false
  #isClosed = false

  constructor(options: StrategyHostOptions) {
    this.#options = options
    // Nobody may be waiting for it.
    this.#firstStart.promise.catch(() => {})
    this.#start()
  }

  /**
   * Resolves once the first process can be asked.
   *
   * @throws CornermanError `STRATEGY_UNFIT` where the config does not load in a process of its own, and the like
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

  /** Prices are new. A process that is still at earlier ones is told of the newest alone, when it has done; its history has them all. */
  tick(): void {
    if (!this.#isTaught) return
    this.#owesTick = this.#lane?.isAt(isTick) === true
    if (this.#owesTick) return
    this.#post({ type: 'tick' })
    for (const [id, { world }] of this.#streams) this.#post({ type: 'feed', id, feed: { of: 'tick' }, world: world() })
  }

  async close(): Promise<void> {
    this.#isClosed = true
    this.#cancelRest()
    for (const { cancel } of this.#streams.values()) cancel()
    this.#firstStart.resolve()
    await this.#lane?.close()
  }

  #start(): void {
    const { name, open, watch } = this.#options
    this.#absence = undefined
    this.#isTaught = false
    this.#lane = open({
      name,
      onReady: () => {
        this.#startedAt = watch.now()
        this.#teach()
      },
      onDone: (task) => {
        if (task.type === 'past') this.#teach()
        else if (this.#owesTick && isTick(task)) this.tick()
      },
      onReply: (reply) => this.#onReply(reply),
      onEnd: (reason, blame) => this.#onEnd(reason, blame),
    })
  }

  /** Tells a new process what it has to know, a piece after the other, and then what it has to do. */
  #teach(): void {
    const { moment } = this.#options.present
    const { tick } = moment()
    // Another strategy of the same process may have been told already.
    const toldTick = this.#lane?.toldTick ?? 0
    const upTo = toldTick === 0 ? Math.max(TICKS_A_PIECE, tick - REMEMBERED_TICKS) : toldTick + TICKS_A_PIECE
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
    this.#lane?.post(task, moment)
  }

  #begin(id: number, { shown, world }: Stream): void {
    this.#post({ type: 'open', id, shown: shown(), world: world() })
  }

  #onReply(reply: Said): void {
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

  #onEnd(reason: CornermanError, blame: Blame): void {
    const hasRun = this.#lane?.isReady === true
    this.#lane = undefined
    this.#isTaught = false
    if (this.#isClosed) return
    const { log, name, watch } = this.#options
    const isInnocent = blame === 'another'
    if (!isInnocent) this.#shortLives = hasRun && watch.now() - this.#startedAt > SHORT_LIFE_MS ? 0 : this.#shortLives + 1
    const goesOn = isInnocent || (hasRun && this.#shortLives <= 1)
    if (!isInnocent) {
      const message = `the process of strategy ${name} has ended: ${reason.message}`
      log({ level: 'warn', message, fields: { strategy: name, code: reason.code } })
      this.#firstStart.reject(reason)
    }
    if (goesOn) this.#start()
    else this.#rest(reason)
    // What it was at is to blame; where that is not known, or there is no process to go on with, everything is.
    const culprit = goesOn && typeof blame === 'object' && 'id' in blame ? blame.id : undefined
    const isToBlame = (id: number) => !isInnocent && (culprit === undefined || culprit === id)
    for (const [id, { settle }] of [...this.#calls]) {
      if (!isToBlame(id)) continue
      this.#calls.delete(id)
      settle.reject(reason)
    }
    for (const [id, stream] of [...this.#streams]) {
      stream.cancel()
      // Whoever listens to it closes it, and opens another when it is time: a swap that it asked for may still be under way.
      const thrown = isToBlame(id) ? reason : new Interruption('its process has ended, and it was not to blame')
      stream.onEmission({ ok: false, thrown })
    }
  }

  #rest(reason: CornermanError): void {
    const { watch } = this.#options
    this.#absence = reason
    const restMs = backoffMs(this.#shortLives, 500, LONGEST_REST_MS)
    this.#cancelRest = watch.at(watch.now() + restMs, () => this.#start())
  }
}

const isTick = (task: Task): boolean => task.type === 'tick' || (task.type === 'feed' && task.feed.of === 'tick')
