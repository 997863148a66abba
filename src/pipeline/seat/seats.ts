import type { ServiceEvent } from '../../contract/events.ts'
import type { CornermanError } from '../../core/error.ts'
import type { Books, Seat } from '../books/books.ts'
import { type Accepted, foldAccepted } from '../books/foldAccepted.ts'
import { type Answered, foldAnswer } from '../books/foldAnswer.ts'
import { type Ended, seatsAfter, withoutSeat, withoutTicket, withSeat } from '../books/foldEvent.ts'
import type { OwnedBooks, Pen } from '../books/ownedBooks.ts'

/** The bot's tickets and seats, and which of them are over: whoever learns something of one tells it here. */
export class Seats {
  readonly #books: OwnedBooks
  readonly #write: Pen<'tickets' | 'seats' | 'openContests'>
  readonly #ended: Ended = new Set()

  constructor(books: OwnedBooks) {
    this.#books = books
    this.#write = books.penFor('tickets', 'seats', 'openContests')
  }

  /** Ids of tickets and contests that are over: an answer that comes late must not open one again. */
  get ended(): ReadonlySet<string> {
    return this.#ended
  }

  /** What was over in an earlier run. */
  recover(ended: Iterable<string>): void {
    for (const id of ended) this.#ended.add(id)
  }

  onEvent(event: ServiceEvent): void {
    this.#write(seatsAfter(this.#present, event, this.#ended))
  }

  /** @returns a field that the bot needs and the answer does not have, or has in words that are not known */
  onAnswer(answer: Answered): CornermanError | undefined {
    const { books, missing } = foldAnswer(this.#present, answer, this.#ended)
    this.#write(books)
    return missing
  }

  /** An action took effect. */
  onAccepted(accepted: Accepted): void {
    this.#write(foldAccepted(this.#present, accepted, this.#ended))
  }

  /** Something is known of a seat; nothing where the bot has none there. */
  change(contestId: string, change: Partial<Seat>): void {
    if (this.#present.seats.has(contestId)) this.#write(withSeat(this.#present, contestId, change, this.#ended))
  }

  /** The bot has a seat, also where it had given one back there. */
  take(contestId: string, change: Partial<Seat>): void {
    this.#ended.delete(contestId)
    this.#write(withSeat(this.#present, contestId, change, this.#ended))
  }

  /** A seat is over. */
  end(contestId: string): void {
    this.#write(withoutSeat(this.#present, contestId, this.#ended))
  }

  endTicket(ticketId: string): void {
    this.#write(withoutTicket(this.#present, ticketId, this.#ended))
  }

  /**
   * A seat that was given back is the bot's again, or may be: what is heard of the contest from now on is of the new one.
   *
   * @returns whether there was one
   */
  takeBack(contestId: string): boolean {
    return this.#ended.delete(contestId)
  }

  get #present(): Books {
    return this.#books.present
  }
}
