import type { Books } from '../books/books.ts'
import { meetingsOf, siblingEntriesOf } from '../books/siblingEntries.ts'
import type { Stores } from '../coordinator/stores.ts'
import type { Present } from './present.ts'

/** What the announced entries were made of. */
interface Of {
  readonly seats: Books['seats']
  readonly tickets: Books['tickets']
  readonly intents: number
  readonly drift: number
}

/** Tells the other bots of the config where this one has money, and says where it meets one of them. */
export class Announcements {
  readonly #present: Present
  readonly #stores: Pick<Stores, 'modes' | 'drift' | 'intents'>
  #announced: ReadonlyMap<string, unknown> = new Map()
  #of: Of | undefined
  /** The books in which meetings were looked for last. */
  #metIn: Pick<Books, 'seats' | 'siblings'> | undefined
  /** Contests in which a bot of the same config was met, and reported. */
  readonly #met = new Set<string>()

  constructor(present: Present, stores: Pick<Stores, 'modes' | 'drift' | 'intents'>) {
    this.#present = present
    this.#stores = stores
  }

  /** Tells where this one has money, and where it no longer has. */
  make(): void {
    const { step, books, options } = this.#present
    const { drift, intents, modes } = this.#stores
    const of = this.#of
    if (of?.seats === books.seats && of.tickets === books.tickets && of.intents === intents.revision && of.drift === drift.revision) return
    this.#of = { seats: books.seats, tickets: books.tickets, intents: intents.revision, drift: drift.revision }
    const isClosed = (mode: string) => modes.closed(mode) !== undefined
    const inPlay = siblingEntriesOf(options.config.name, books, intents.actions(), isClosed)
    const entries = new Map([...inPlay, ...drift.entries()])
    for (const [key, entry] of entries) if (!this.#announced.has(key)) step.siblingsEntered.push(entry)
    for (const key of this.#announced.keys()) if (!entries.has(key)) step.siblingsLeft.push(key)
    this.#announced = entries
  }

  /** Says once of each contest that the bot meets one of its own there: whichever wins, the rake is lost. */
  reportMeetings(): void {
    const { books, step } = this.#present
    if (books.seats === this.#metIn?.seats && books.siblings === this.#metIn.siblings) return
    this.#metIn = books
    for (const contestId of this.#met) if (!books.seats.has(contestId)) this.#met.delete(contestId)
    for (const { contestId, bot } of meetingsOf(books)) {
      if (this.#met.has(contestId)) continue
      this.#met.add(contestId)
      step.note('warn', `${bot}, a bot of the same config, sits in the same contest: the two play against each other`, { contestId })
    }
  }
}
