import { CornermanError } from '../core/error.ts'
import { keyedRandom } from '../core/random.ts'
import type { Action } from '../strategy/action.ts'
import type { StrategyLog } from '../strategy/define.ts'
import type { BotView, Prices } from '../strategy/view.ts'
import type { Bot } from './bot.ts'
import { Containment, type Suspension } from './containment.ts'
import type { InputOf } from './input.ts'
import { actionsOf, ask, contestOf, isSame, type Question } from './question.ts'

/** An answer that a strategy promised and does not give by then is a fault. */
export const CALL_TIMEOUT_MS = 10_000
const CALL = 'call:'

export interface CallsOptions {
  /** Prices as of the input being processed. */
  readonly prices: () => Prices
  readonly state: () => BotView
  /** Takes what a strategy answered, at once or later. */
  readonly onActions: (actions: readonly Action[], strategy: string) => void
}

/** Asks strategies, waits for those that answer later, and keeps their faults to themselves. */
export class Calls {
  readonly #bot: Bot
  readonly #options: CallsOptions
  readonly #containment = new Containment()
  /** Promised answers by call id. */
  readonly #pending = new Map<string, Question>()

  constructor(bot: Bot, options: CallsOptions) {
    this.#bot = bot
    this.#options = options
  }

  /** Asks, unless the strategy is left alone there or still owes the answer to the same question. */
  call(question: Question): void {
    const { step, n, now, agenda, books } = this.#bot
    const { name, external } = question.strategy
    if (this.isSuspended(name, contestOf(question)) || this.#isPending(question)) return
    const context = {
      prices: this.#options.prices(),
      clock: { now: () => now },
      random: keyedRandom(this.#bot.options.config.seed, name, n),
      log: this.logOf(name),
    }
    let answer: unknown
    try {
      answer = ask(question, { books, state: this.#options.state }, context)
    } catch (thrown) {
      if (!external) {
        this.fault(name, contestOf(question), thrown)
        return
      }
      answer = Promise.reject(thrown)
    }
    // What a strategy that calls out says is an input of its own, at once or later: a replay can play it back.
    if (external && !(answer instanceof Promise)) answer = Promise.resolve(answer)
    if (!(answer instanceof Promise)) {
      this.#receive(question, answer)
      return
    }
    const callId = `${n}:${name}:${this.#pending.size}`
    this.#pending.set(callId, question)
    agenda.set(CALL + callId, now + CALL_TIMEOUT_MS)
    step.calls.push({ callId, answer })
  }

  /** A promised answer has come. */
  onLate({ callId, result }: InputOf<'late'>): void {
    const question = this.#end(callId)
    if (question === undefined) {
      this.#bot.step.note('warn', 'a strategy answered after its time was up', { callId })
    } else if (result.ok) {
      this.#receive(question, result.value)
    } else {
      this.fault(question.strategy.name, contestOf(question), result.thrown)
    }
  }

  /** The time of a promised answer is up. */
  onDue(purpose: string): void {
    const question = purpose.startsWith(CALL) ? this.#end(purpose.slice(CALL.length)) : undefined
    if (question === undefined) return
    const thrown = new CornermanError('STRATEGY_TIMED_OUT', `it did not answer within ${CALL_TIMEOUT_MS} ms`)
    this.fault(question.strategy.name, contestOf(question), thrown)
  }

  isSuspended(strategy: string, contestId?: string): boolean {
    return this.#containment.isSuspended(strategy, contestId, this.#bot.now)
  }

  get suspended(): readonly Suspension[] {
    return this.#containment.suspended(this.#bot.now)
  }

  fault(strategy: string, contestId: string | undefined, thrown: unknown): void {
    const { step, n, now } = this.#bot
    step.notes.push(this.#containment.fault(strategy, contestId, thrown, { n, now }))
  }

  forget(contestId: string): void {
    this.#containment.forget(contestId)
  }

  logOf(strategy: string): StrategyLog {
    const write = (level: 'debug' | 'info' | 'warn') => (message: string, fields?: Readonly<Record<string, unknown>>) => {
      this.#bot.step.note(level, message, { ...fields, strategy })
    }
    return { debug: write('debug'), info: write('info'), warn: write('warn') }
  }

  #receive(question: Question, answer: unknown): void {
    const { name } = question.strategy
    let actions: readonly Action[]
    try {
      actions = actionsOf(question, answer)
    } catch (thrown) {
      this.fault(name, contestOf(question), thrown)
      return
    }
    this.#options.onActions(actions, name)
  }

  #isPending(question: Question): boolean {
    for (const other of this.#pending.values()) if (isSame(other, question)) return true
    return false
  }

  #end(callId: string): Question | undefined {
    const question = this.#pending.get(callId)
    this.#pending.delete(callId)
    this.#bot.agenda.drop(CALL + callId)
    return question
  }
}
