import type { Clock } from '../../core/clock.ts'
import type { ChatLog } from './chatWords.ts'

/** Answers in a minute: a group takes 20 messages a minute, and alerts go there too. What stops or resumes has a few of its own. */
const MOST_ANSWERS = 12
const MOST_ANSWERS_OF_ALL = 16
const MINUTE_MS = 60_000

/** Bounds the answers of a minute. The first one too many is told of in the log. */
export class AnswerQuota {
  readonly #clock: Clock
  readonly #log: ChatLog
  #answers: number[] = []
  #isFlooded = false

  constructor(clock: Clock, log: ChatLog) {
    this.#clock = clock
    this.#log = log
  }

  /** @param isUrgent a question about stopping or resuming, which may use the reserve */
  take({ isUrgent }: { readonly isUrgent: boolean }): boolean {
    const most = isUrgent ? MOST_ANSWERS_OF_ALL : MOST_ANSWERS
    const now = this.#clock.now()
    this.#answers = this.#answers.filter((at) => now - at < MINUTE_MS)
    if (this.#answers.length >= most) {
      if (!this.#isFlooded) this.#log.warn(`telegram: more than ${most} commands within a minute: those beyond are not answered`)
      this.#isFlooded = true
      return false
    }
    if (this.#answers.length < MOST_ANSWERS) this.#isFlooded = false
    this.#answers.push(now)
    return true
  }
}
