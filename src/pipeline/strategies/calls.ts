import { CornermanError, messageOf } from '../../core/error.ts'
import { keyedRandom } from '../../core/random.ts'
import { abandon } from '../../strategy/answer.ts'
import type { BotConfig } from '../../strategy/config.ts'
import type { QueuePolicy, StrategyLog } from '../../strategy/define.ts'
import type { BotView, Prices } from '../../strategy/view.ts'
import { NOTHING } from '../flow/each.ts'
import type { Proposal } from '../flow/proposal.ts'
import type { Plays } from '../playable/plays.ts'
import type { InputOf } from '../protocol/input.ts'
import type { Present } from '../state/present.ts'
import { type Blamed, blaming } from './blame.ts'
import { Containment, type Suspension } from './containment.ts'
import { isInterruption } from './interruption.ts'
import { actionsOf, ask, contestOf, contextOf, isSame, type Question } from './question.ts'
import type { Emission } from './streamRunner.ts'
import { writeFault } from './writes.ts'

const TIMEOUT_MS = 10_000
/** Call ids of errors that a strategy left behind. */
const STRAY = 'stray:'

/** An answer that a strategy promised and does not give by then is a fault. */
export const strategyTimeoutMs = (config: Pick<BotConfig, 'strategyTimeoutMs'>): number => config.strategyTimeoutMs ?? TIMEOUT_MS

export interface CallsOptions {
  readonly plays: Plays
  /** Prices as of the input being processed, for one strategy: what its streams tell is told to no other. */
  readonly prices: (strategy: string) => Prices
  readonly state: () => BotView
  /** How many entries were let out so far. */
  readonly entries: () => number
  /** An error was traced back to a strategy: it enters as an input. */
  readonly onStray: (callId: string, thrown: unknown) => void
  /** An answer was let be: since its question was asked another strategy has entered something, or is about to. */
  readonly onOutdated: (strategy: QueuePolicy) => void
}

/** A question whose answer was promised. */
interface Pending {
  readonly question: Question
  /** Entries that had been let out when it was asked. */
  readonly entries: number
  /** What it was asked with. */
  readonly given: object
  readonly answer: Promise<unknown>
}

/** Asks strategies, waits for those that answer later, and keeps their faults to themselves. */
export class Calls {
  readonly #present: Present
  readonly #options: CallsOptions
  readonly #containment = new Containment()
  /** Promised answers by call id. */
  readonly #pending = new Map<string, Pending>()

  constructor(present: Present, options: CallsOptions) {
    this.#present = present
    this.#options = options
  }

  /**
   * Asks, unless the strategy is left alone there or still owes the answer to the same question.
   *
   * @returns what it answered at once
   */
  call(question: Question): readonly Proposal[] {
    const { step, n, now, deadlines, books } = this.#present
    const { plays } = this.#options
    const { name, external } = question.strategy
    const contestId = contestOf(question)
    if (this.isSuspended(name, contestId)) {
      if (contestId !== undefined) plays.hindered(contestId, 'suspended')
      return NOTHING
    }
    if (this.#isPending(question)) return NOTHING
    const given = contextOf(
      question,
      { books, state: this.#options.state },
      {
        prices: this.#options.prices(name),
        clock: { now: () => now },
        random: keyedRandom(this.#present.options.config.seed, name, n),
        log: this.logOf(name),
      },
    )
    if (given === undefined) return NOTHING
    if (contestId !== undefined) plays.asked(contestId, { awaitsAnswer: true })
    let answer: unknown
    try {
      answer = blaming(this.blamed(name), () => ask(question.strategy, given))
    } catch (thrown) {
      if (!external) {
        this.fault(
          name,
          contestOf(question),
          writeFault(thrown, () => given),
        )
        return NOTHING
      }
      answer = Promise.reject(thrown)
    }
    // What a strategy that calls out says is an input of its own, at once or later: a replay can play it back.
    if (external && !(answer instanceof Promise)) answer = Promise.resolve(answer)
    if (!(answer instanceof Promise)) return this.#receive(question, answer)
    // Where the step fails nobody waits for it any more: one that comes to nothing then must not end the process.
    answer.catch(() => {})
    const callId = `${n}:${name}:${this.#pending.size}`
    this.#pending.set(callId, { question, given, answer, entries: this.#options.entries() })
    deadlines.set(`call:${callId}`, now + strategyTimeoutMs(this.#present.options.config))
    step.calls.push({ callId, answer })
    return NOTHING
  }

  /** A promised answer has come. @returns what it says */
  onLate({ callId, result }: InputOf<'late'>): readonly Proposal[] {
    if (callId.startsWith(STRAY) && !result.ok) {
      this.#stray(callId.slice(STRAY.length), result.thrown)
      return NOTHING
    }
    const pending = this.#end(callId)
    if (pending === undefined) {
      this.#present.step.note('warn', 'a strategy answered after its time was up', { callId })
      return NOTHING
    }
    const { question, given } = pending
    if (!result.ok)
      this.fault(
        question.strategy.name,
        contestOf(question),
        writeFault(result.thrown, () => given),
      )
    else if (question.kind === 'decide' && this.#isOutdated(pending)) this.#options.onOutdated(question.strategy)
    else return this.#receive(question, result.value)
    return NOTHING
  }

  /** Whether a contest is about to be joined, and its side asked for. */
  get isJoining(): boolean {
    for (const { question } of this.#pending.values()) if (question.kind === 'predict' && question.join !== undefined) return true
    return false
  }

  /** The time of a promised answer is up. */
  onOverdue(callId: string): void {
    const pending = this.#end(callId)
    if (pending === undefined) return
    const { answer, question } = pending
    abandon(answer)
    const thrown = new CornermanError(
      'STRATEGY_TIMED_OUT',
      `it did not answer within ${strategyTimeoutMs(this.#present.options.config)} ms`,
    )
    this.fault(question.strategy.name, contestOf(question), thrown)
  }

  /** Nobody waits for an answer any more. */
  stop(): void {
    for (const { answer } of this.#pending.values()) abandon(answer)
  }

  isSuspended(strategy: string, contestId?: string): boolean {
    return this.#containment.isSuspended(strategy, contestId, this.#present.now)
  }

  /** Until when a strategy is left alone everywhere, in Unix milliseconds; undefined: it is not. */
  suspendedUntil(strategy: string): number | undefined {
    return this.#containment.suspendedUntil(strategy, this.#present.now)
  }

  get suspended(): readonly Suspension[] {
    return this.#containment.suspended(this.#present.now)
  }

  /**
   * What a strategy of observables emitted, as its reader makes it out; what it failed in, or nonsense, is a fault.
   *
   * @returns undefined where it is one
   */
  emitted<T>(emission: Emission, read: (value: unknown) => T, { strategy, contestId }: Suspension): T | undefined {
    try {
      if (!emission.ok) throw emission.thrown
      return read(emission.value)
    } catch (thrown) {
      if (!isInterruption(thrown)) this.fault(strategy, contestId, thrown)
      return undefined
    }
  }

  fault(strategy: string, contestId: string | undefined, thrown: unknown): void {
    const { step, n, now } = this.#present
    if (contestId !== undefined) this.#options.plays.hindered(contestId, 'failed', messageOf(thrown))
    step.notes.push(this.#containment.fault(strategy, contestId, thrown, { n, now }))
  }

  /** Takes errors that a strategy leaves behind, in a timer or in a promise that it does not await. */
  blamed(strategy: string): Blamed {
    return (thrown) => this.#options.onStray(STRAY + strategy, thrown)
  }

  forget(contestId: string): void {
    this.#containment.forget(contestId)
  }

  logOf(strategy: string): StrategyLog {
    const write = (level: 'debug' | 'info' | 'warn') => (message: string, fields?: Readonly<Record<string, unknown>>) => {
      this.#present.step.note(level, message, { ...fields, strategy })
    }
    return { debug: write('debug'), info: write('info'), warn: write('warn') }
  }

  #stray(strategy: string, thrown: unknown): void {
    const { step, n, now } = this.#present
    const message = `outside its calls (in a timer, or in a promise that it does not await): ${messageOf(thrown)}`
    const error = new CornermanError('STRATEGY_STRAY', message, { cause: thrown })
    step.notes.push(this.#containment.fault(strategy, undefined, error, { n, now }, { isLast: true }))
  }

  #receive(question: Question, answer: unknown): readonly Proposal[] {
    const { name: by } = question.strategy
    const contestId = contestOf(question)
    try {
      const actions = actionsOf(question, answer)
      if (contestId !== undefined && actions.length === 0) this.#options.plays.answered(contestId, false)
      return [{ by, actions }]
    } catch (thrown) {
      this.fault(by, contestId, thrown)
      return NOTHING
    }
  }

  #isPending(question: Question): boolean {
    for (const other of this.#pending.values()) if (isSame(other.question, question)) return true
    return false
  }

  /** What was asked for before another entry was let out may be one too many with it. */
  #isOutdated({ entries }: Pending): boolean {
    return this.isJoining || this.#options.entries() !== entries
  }

  #end(callId: string): Pending | undefined {
    const pending = this.#pending.get(callId)
    this.#pending.delete(callId)
    this.#present.deadlines.drop(`call:${callId}`)
    return pending
  }
}
