import { saysNo } from '../../contract/refusals.ts'
import { unreachable } from '../../core/error.ts'
import type { InputOf } from '../protocol/input.ts'
import { parseTaskKey, type TaskKey, type TaskKeyOf } from '../protocol/taskKey.ts'
import type { Reads } from '../reads.ts'
import type { Present } from './present.ts'
import type { Session } from './session.ts'

const isOfOneTicket = (purpose: TaskKey): boolean => parseTaskKey(purpose).kind === 'ticket'

interface CatchUpOptions {
  readonly reads: Reads
  readonly session: Session
  /** The books can be trusted from now on. */
  readonly onCaughtUp: () => void
}

/** The books can be trusted once the stream is read to its end, and so are the lists of tickets and seats. */
export class CatchUp {
  readonly #present: Present
  readonly #options: CatchUpOptions
  #isStreamRead = false
  readonly #awaited = new Set<TaskKey>(['tickets', 'seatsAtStart'])
  /** Tickets of an earlier run that may still wait, and have not been read in this one. */
  readonly #unlisted = new Set<string>()

  constructor(present: Present, options: CatchUpOptions) {
    this.#present = present
    this.#options = options
  }

  get isStreamRead(): boolean {
    return this.#isStreamRead
  }

  get areSeatsRead(): boolean {
    return !this.#awaited.has('seatsAtStart')
  }

  /** @param started of its tickets the service's list may show the newest twenty alone */
  start({ tickets = [] }: InputOf<'started'>): void {
    for (const ticketId of tickets) this.#unlisted.add(ticketId)
    this.#ask('tickets')
  }

  /** The stream was read to its end, or could not be. */
  onStream(isRead: boolean): void {
    this.#isStreamRead = isRead
    this.#update()
  }

  /** The service is another one than it was: nothing is decided before its lists are read once more. */
  onRestored(): void {
    this.#awaited.add('tickets')
    this.onStream(false)
    this.#ask('tickets')
  }

  onAnswer({ request: { purpose }, result }: InputOf<'answer'>): void {
    // A ticket that the service does not know any more waits for nothing.
    const isUnknown = isOfOneTicket(purpose) && !result.ok && saysNo(result.refusal)
    if (isUnknown) this.#present.deadlines.drop(purpose)
    if (result.ok || isUnknown) this.#onRead(purpose)
  }

  /** It is time for what was planned. */
  onDue(purpose: TaskKeyOf<'catchUp'>): void {
    this.#ask(purpose)
  }

  /**
   * Seats are read after the tickets: a ticket that was matched in between would be in neither, where the stream was read before, and
   * what is played there would be unknown to whoever enters next.
   */
  #onRead(purpose: TaskKey): void {
    if (!this.#awaited.delete(purpose)) return
    const isOfTickets = purpose === 'tickets' || isOfOneTicket(purpose)
    if (isOfTickets && ![...this.#awaited].some(isOfOneTicket)) {
      this.#awaited.add('seatsAtStart')
      this.#ask('seatsAtStart')
    }
    this.#update()
  }

  #update(): void {
    if (this.#isStreamRead && this.#awaited.size === 0) this.#readUnlisted()
    const caughtUp = this.#isStreamRead && this.#awaited.size === 0
    if (this.#present.books.caughtUp === caughtUp) return
    this.#options.session.caughtUp(caughtUp)
    if (caughtUp) this.#options.onCaughtUp()
  }

  /** What the stream has not ended and the list does not show is asked for one by one, before anything is decided. */
  #readUnlisted(): void {
    const { books, ended } = this.#present
    for (const ticketId of this.#unlisted) {
      if (ended.has(ticketId) || books.tickets.has(ticketId)) continue
      this.#awaited.add(`ticket:${ticketId}`)
      this.#ask(`ticket:${ticketId}`)
    }
    this.#unlisted.clear()
  }

  #ask(purpose: TaskKeyOf<'catchUp'>): void {
    const { reads } = this.#options
    const { kind, subjectId } = parseTaskKey(purpose)
    switch (kind) {
      case 'tickets':
        reads.ask(purpose, 'agent.queue.list', null)
        return
      case 'seats':
      case 'seatsAtStart':
        reads.ask(purpose, 'agent.contests.mine', null)
        return
      case 'ticket':
        reads.ask(purpose, 'agent.queue.get', { ticketId: subjectId })
        return
      default:
        unreachable(kind)
    }
  }
}
