import type { Clock } from '../../core/clock.ts'
import { inTime } from '../../core/inTime.ts'
import type { PendingCall, StrategyResult } from '../../pipeline/index.ts'
import { PATIENCE_MS } from '../run/patience.ts'

/** What a strategy may take to emit what an input has led it to, as its conformance has it: a run that ended sooner may lack it. */
const SLACK_MS = 1000

/** An input of the recording. */
export interface Place {
  readonly seq: number
  readonly at: number
  readonly input: unknown
}

/** What came of a strategy again, and the input after which it came. */
export interface Said {
  readonly callId: string
  readonly result: StrategyResult
  readonly after: Place
}

/** Why there is nothing to place: time was given in vain, or none was given after that had happened before, or nobody has asked. */
export type Silence = 'waited' | 'notWaited' | 'notAsked'

interface Waiting {
  readonly callId: string
  readonly resolve: (result: StrategyResult) => void
}

/**
 * What strategies answer late when they are run again: awaited here, and placed where the recording has the answer.
 * A strategy that calls out is not asked again: its recorded answers are played back.
 */
export class LateAnswers {
  readonly #clock: Clock
  /** Of calls that are not answered yet: when their time is up. */
  readonly #dueOf = new Map<string, number>()
  /** By call or observable: what has come and the recording has not had yet, oldest first. */
  readonly #unplaced = new Map<string, Said[]>()
  /** Until when the recording would have had what an observable emits; of those that have been stopped. */
  readonly #stopped = new Map<Said, number>()
  readonly #timeoutMs: number
  readonly #silent: Set<string>
  #after: Place = { seq: 0, at: 0, input: null }
  #waiting: Waiting | undefined

  /**
   * @param clock real time: the strategies' own work takes some
   * @param timeoutMs how long a strategy had for an answer
   * @param silent strategies that were waited for in vain, once: whoever is so here is added
   */
  constructor(clock: Clock, timeoutMs: number, silent: Set<string>) {
    this.#clock = clock
    this.#timeoutMs = timeoutMs
    this.#silent = silent
  }

  /** What comes from here on comes after this input. */
  begins(place: Place): void {
    this.#after = place
  }

  promised(calls: readonly PendingCall[]): void {
    for (const { callId, answer } of calls) {
      this.#dueOf.set(callId, this.#after.at + this.#timeoutMs)
      const take = (result: StrategyResult) => {
        if (this.#dueOf.has(callId)) this.emitted(callId, result)
      }
      answer.then(
        (value) => take({ ok: true, value }),
        (thrown: unknown) => take({ ok: false, thrown }),
      )
    }
  }

  emitted(callId: string, result: StrategyResult): void {
    const waiting = this.#waiting
    if (waiting?.callId === callId) {
      this.#waiting = undefined
      waiting.resolve(result)
      return
    }
    const said = { callId, result, after: this.#after }
    const others = this.#unplaced.get(callId)
    if (others === undefined) this.#unplaced.set(callId, [said])
    else others.push(said)
  }

  /** Nothing more comes of an observable, and what it has emitted of late may have been too late for the recording. */
  stopped(callId: string): void {
    for (const said of this.#unplaced.get(callId) ?? []) if (!this.#stopped.has(said)) this.#stopped.set(said, this.#after.at)
  }

  /** Whether a call's time was up before the input that is to come: its answer came to nothing. */
  isOverdue(callId: string): boolean {
    return this.#after.at >= (this.#dueOf.get(callId) ?? Number.POSITIVE_INFINITY)
  }

  /** The recorded answer of a call is played back: its own is not asked for. */
  forget(callId: string): void {
    this.#dueOf.delete(callId)
    this.#unplaced.delete(callId)
  }

  /** The next answer to a call, or emission of an observable; why there is none where it does not come in time. */
  async next(callId: string, strategy: string): Promise<StrategyResult | Silence> {
    const said = this.#unplaced.get(callId)?.shift()
    const isAsked = isOfObservable(callId) || this.#dueOf.has(callId)
    const result = said?.result ?? (isAsked ? await this.#wait(callId, strategy) : 'notAsked')
    if (!isOfObservable(callId)) this.forget(callId)
    return result
  }

  /** What has come and is nowhere in the recording, although it went on for long enough: oldest first. */
  unrecorded(): readonly Said[] {
    const endsAt = this.#after.at
    const isMissing = (said: Said) => {
      const { callId, after } = said
      const at = Math.max(after.at, this.#dueOf.get(callId) ?? 0)
      return at + SLACK_MS <= (this.#stopped.get(said) ?? endsAt)
    }
    return [...this.#unplaced.values()]
      .flat()
      .filter(isMissing)
      .toSorted((one, other) => one.after.seq - other.after.seq)
  }

  async #wait(callId: string, strategy: string): Promise<StrategyResult | Silence> {
    if (this.#silent.has(strategy)) return 'notWaited'
    const { promise, resolve } = Promise.withResolvers<StrategyResult>()
    this.#waiting = { callId, resolve }
    const result = await inTime(promise, this.#clock, PATIENCE_MS)
    this.#waiting = undefined
    if (result !== undefined) return result
    this.#silent.add(strategy)
    return 'waited'
  }
}

/** Calls begin with the number of the input they were made at. */
const isOfObservable = (callId: string): boolean => !/^\d/.test(callId)
