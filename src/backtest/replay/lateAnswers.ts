import type { Clock } from '../../core/clock.ts'
import type { PendingCall, StrategyResult } from '../../pipeline/index.ts'
import { inTime } from '../inTime.ts'

/**
 * What strategies answer late when they are run again: awaited here, and placed where the recording has the answer.
 * A strategy that calls out is not asked again: its recorded answers are played back.
 */
export class LateAnswers {
  readonly #clock: Clock
  /** By call: the answers promised. */
  readonly #promised = new Map<string, Promise<StrategyResult>>()
  /** By call: emissions between inputs that nobody has asked for yet, and whoever waits for one. */
  readonly #emitted = new Map<string, StrategyResult[]>()
  readonly #waiting = new Map<string, (result: StrategyResult) => void>()

  /** @param clock real time: the strategies' own work takes some */
  constructor(clock: Clock) {
    this.#clock = clock
  }

  promised(calls: readonly PendingCall[]): void {
    for (const { callId, answer } of calls) {
      const result = answer.then(
        (value): StrategyResult => ({ ok: true, value }),
        (thrown: unknown): StrategyResult => ({ ok: false, thrown }),
      )
      this.#promised.set(callId, result)
    }
  }

  emitted(callId: string, result: StrategyResult): void {
    const waiting = this.#waiting.get(callId)
    this.#waiting.delete(callId)
    if (waiting !== undefined) waiting(result)
    else this.#emitted.set(callId, [...(this.#emitted.get(callId) ?? []), result])
  }

  /** The next answer to a call; undefined where none comes in time. */
  async next(callId: string): Promise<StrategyResult | undefined> {
    const [first, ...rest] = this.#emitted.get(callId) ?? []
    if (first !== undefined) {
      this.#emitted.set(callId, rest)
      return first
    }
    const answer = this.#promised.get(callId) ?? new Promise<StrategyResult>((resolve) => this.#waiting.set(callId, resolve))
    this.#promised.delete(callId)
    return inTime(answer, this.#clock)
  }
}
