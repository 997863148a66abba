import { isActive } from '../books/books.ts'
import type { Bot } from '../bot.ts'
import type { Intents } from './intents.ts'

/** Tickets and seats the bot has and did not ask for: they are played like any other, since their stake is in play, and it is said. */
export class Adoptions {
  readonly #bot: Bot
  readonly #intents: Intents
  readonly #told = new Set<string>()

  constructor(bot: Bot, intents: Intents) {
    this.#bot = bot
    this.#intents = intents
  }

  /** Says once of each. Before the bot has caught up it cannot know what it has asked for. */
  report(): void {
    const { caughtUp, tickets, seats } = this.#bot.books
    if (!caughtUp) return
    for (const id of this.#told) if (!tickets.has(id) && !seats.has(id)) this.#told.delete(id)
    for (const ticketId of tickets.keys()) this.#tell(ticketId, 'a ticket', { ticketId })
    for (const seat of seats.values()) {
      const { contestId, mode = 'unknown' } = seat
      if (isActive(seat)) this.#tell(contestId, `a seat in a contest of ${mode}`, { contestId })
    }
  }

  #tell(id: string, what: string, fields: Readonly<Record<string, string>>): void {
    if (this.#told.has(id) || this.#intents.accountsFor(id)) return
    this.#told.add(id)
    this.#bot.step.note('warn', `${what} that this bot did not ask for: it is adopted, and played`, fields)
  }
}
