import type { Clock } from '../../core/clock.ts'
import { inTime } from '../../core/inTime.ts'
import type { PendingCall } from '../../pipeline/index.ts'
import { PATIENCE_MS } from './patience.ts'

/** Of a strategy that has not answered many times, in real time. */
const LEAST_PATIENCE_MS = 10

/** Answers that strategies have promised. The bot's clock stands still until they are there, or patience is at its end. */
export class PromisedAnswers {
  readonly #realClock: Clock
  #promised: PendingCall['answer'][] = []
  // A strategy that let the whole time go by once is not waited for as long again: one that never answers must not hold up a backtest for hours.
  #patienceMs = PATIENCE_MS

  constructor(realClock: Clock) {
    this.#realClock = realClock
  }

  get areDue(): boolean {
    return this.#promised.length > 0
  }

  add(calls: readonly PendingCall[]): void {
    for (const { answer } of calls) this.#promised.push(answer)
  }

  /** Waits for all of them, and for those that are promised meanwhile. */
  async settle(): Promise<void> {
    while (this.#promised.length > 0) {
      const answers = this.#promised
      this.#promised = []
      const settled = await inTime(Promise.allSettled(answers), this.#realClock, this.#patienceMs)
      if (settled === undefined) this.#patienceMs = Math.max(LEAST_PATIENCE_MS, this.#patienceMs / 4)
    }
  }
}
