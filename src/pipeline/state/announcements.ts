import type { ServiceAction } from '../../strategy/action.ts'
import type { Books } from '../books/books.ts'
import { meetingsOf, siblingEntriesOf } from '../books/siblingEntries.ts'
import type { DriftWatch } from '../playable/driftWatch.ts'
import type { Modes } from '../playable/modes.ts'
import type { Present } from './present.ts'

interface AnnouncementsOptions {
  readonly modes: Modes
  readonly drift: DriftWatch
  readonly intents: {
    /** Another one whenever `actions` gives others. */
    readonly revision: number
    actions(): Iterable<ServiceAction>
  }
}

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
  readonly #options: AnnouncementsOptions
  #announced: ReadonlyMap<string, unknown> = new Map()
  #of: Of | undefined
  /** Contests in which a bot of the same config was met, and reported. */
  readonly #met = new Set<string>()

  constructor(present: Present, options: AnnouncementsOptions) {
    this.#present = present
    this.#options = options
  }

  /** Whether seats, tickets and actions under way are those that were announced last. */
  get areMade(): boolean {
    const { seats, tickets } = this.#present.books
    const { drift, intents } = this.#options
    const of = this.#of
    return of?.seats === seats && of.tickets === tickets && of.intents === intents.revision && of.drift === drift.revision
  }

  /** Tells where this one has money, and where it no longer has. */
  make(): void {
    if (this.areMade) return
    const { step, books, options } = this.#present
    const { drift, intents, modes } = this.#options
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
    for (const contestId of this.#met) if (!books.seats.has(contestId)) this.#met.delete(contestId)
    for (const { contestId, bot } of meetingsOf(books)) {
      if (this.#met.has(contestId)) continue
      this.#met.add(contestId)
      step.note('warn', `${bot}, a bot of the same config, sits in the same contest: the two play against each other`, { contestId })
    }
  }
}
