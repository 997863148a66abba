import type { ReadName } from '../../contract/procedures.ts'
import { CornermanError } from '../../core/error.ts'
import { atStakeText } from '../books/views.ts'
import type { Present } from '../state/present.ts'

/** The same fault of one procedure is said again no sooner. */
const QUIET_MS = 60_000

/** A read whose newest answer lacks a field that the bot needs. */
export interface IncompleteAnswer {
  readonly procedure: ReadName
  readonly field: string
}

/** Reads whose newest answer lacks a field that the bot needs: an alarm at once, and until an answer holds it. */
export class IncompleteAnswers {
  readonly #present: Present
  readonly #fields = new Map<ReadName, string>()
  readonly #saidAt = new Map<string, number>()

  constructor(present: Present) {
    this.#present = present
  }

  get now(): readonly IncompleteAnswer[] {
    return [...this.#fields].map(([procedure, field]) => ({ procedure, field }))
  }

  lacks(procedure: ReadName, field: string): void {
    this.#fields.set(procedure, field)
    const { books, now, step } = this.#present
    const key = `${procedure} ${field}`
    if (now - (this.#saidAt.get(key) ?? Number.NEGATIVE_INFINITY) < QUIET_MS) return
    this.#saidAt.set(key, now)
    const { code, message } = new CornermanError(
      'ANSWER_INCOMPLETE',
      `the service answers ${procedure} without ${field}: ${EFFECT[procedure] ?? 'what needs this answer waits'}. ${atStakeText(books)}. Look at the answer with cornerman call ${procedure}, and ask the service what it has changed`,
    )
    step.note('error', message, { code, procedure, field })
  }

  isWhole(procedure: ReadName): void {
    if (this.#fields.size === 0 || !this.#fields.delete(procedure)) return
    this.#present.step.note('info', `the service answers ${procedure} in full again`, { procedure })
  }
}

const EFFECT: Partial<Record<ReadName, string>> = {
  'agent.events': 'no event is heard, and nothing is entered',
  'agent.limits': 'nothing is entered once the figures known are too old',
  'agent.bankroll': 'nothing is entered once the figures known are too old',
}
