import type { InputOf } from '../protocol/input.ts'
import type { Present } from '../state/present.ts'
import type { Intents } from './intents.ts'

/**
 * Tickets and seats the bot has and did not ask for: they are played like any other, since their stake is in play, and it is said. So
 * are predictions that nobody can show any more.
 */
export class Foreign {
  readonly #present: Present
  readonly #intents: Intents
  readonly #told = new Set<string>()
  /** Contests with a prediction whose salt is not here: those that were told of, or need not be. */
  readonly #saltless = new Set<string>()

  constructor(present: Present, intents: Intents) {
    this.#present = present
    this.#intents = intents
  }

  /** What an earlier run has shown is lost to nobody, and left custody with it. */
  start({ revealed = [] }: InputOf<'started'>): void {
    for (const contestId of revealed) this.#saltless.add(contestId)
  }

  /** Says once of each. Before the bot has caught up it cannot know what it has asked for. */
  report(): void {
    const { caughtUp, tickets, seats, custody } = this.#present.books
    if (!caughtUp) return
    for (const id of this.#saltless) if (!seats.has(id)) this.#saltless.delete(id)
    for (const id of this.#told) if (!tickets.has(id) && !seats.has(id)) this.#told.delete(id)
    for (const ticketId of tickets.keys()) this.#tell(ticketId, 'a ticket', { ticketId })
    for (const seat of seats.values()) {
      const { contestId, mode = 'unknown' } = seat
      this.#tell(contestId, `a seat in a contest of ${mode}`, { contestId })
      if (seat.committed === true && !custody.has(contestId)) this.#tellSaltless(contestId)
    }
  }

  #tellSaltless(contestId: string): void {
    if (this.#saltless.has(contestId)) return
    this.#saltless.add(contestId)
    const why = 'it was made with another data directory, or by somebody else. Nobody can reveal it here, and its stake is lost'
    this.#present.step.note('error', `the service has a prediction of this bot whose salt is not in this journal: ${why}`, { contestId })
  }

  #tell(id: string, what: string, fields: Readonly<Record<string, string>>): void {
    if (this.#told.has(id) || this.#intents.accountsFor(id)) return
    this.#told.add(id)
    this.#present.step.note('warn', `${what} that this bot did not ask for: it is adopted, and played`, fields)
  }
}
