import { unreachable } from '../../core/error.ts'
import { type Books, emptySeat, type Seat, type WaitingTicket } from './books.ts'
import { withEntry } from './withEntry.ts'

/** What an event, an answer or an action that took effect says of one ticket or seat. `known`: what is known of it so far. */
export type Said =
  | { readonly of: 'ticket'; readonly ticketId: string; waits(known: WaitingTicket | undefined): WaitingTicket }
  | { readonly of: 'ticketOver'; readonly ticketId: string }
  | { readonly of: 'seat'; readonly contestId: string; change(known: Seat | undefined): Partial<Seat> }
  | { readonly of: 'seatOver'; readonly contestId: string }

/**
 * Ids of tickets and contests that are over: an answer that arrives after the event which ended a thing must not open it again. One is
 * taken out where the bot has a seat again that it had given back.
 */
export type Ended = Set<string>

/** Something is said of a seat, whatever is known of it so far. */
export const saidOfSeat = (contestId: string, change: Partial<Seat>): Said => ({ of: 'seat', contestId, change: () => change })

/** The books after what was said, one after the other, for whoever has no bot: of one `Seats` keeps them. */
export const withSaid = (books: Books, said: readonly Said[], ended: Ended): Books =>
  said.reduce((after, one) => withOne(after, one, ended), books)

function withOne(books: Books, one: Said, ended: Ended): Books {
  const { tickets, seats } = books
  switch (one.of) {
    case 'ticketOver':
      ended.add(one.ticketId)
      return tickets.has(one.ticketId) ? { ...books, tickets: withEntry(tickets, one.ticketId, undefined) } : books
    case 'seatOver':
      ended.add(one.contestId)
      return seats.has(one.contestId) ? { ...books, seats: withEntry(seats, one.contestId, undefined) } : books
    case 'ticket': {
      const { ticketId } = one
      return ended.has(ticketId) ? books : { ...books, tickets: withEntry(tickets, ticketId, one.waits(tickets.get(ticketId))) }
    }
    case 'seat': {
      const { contestId } = one
      if (ended.has(contestId)) return books
      const known = seats.get(contestId)
      return { ...books, seats: withEntry(seats, contestId, { ...(known ?? emptySeat(contestId)), ...one.change(known) }) }
    }
    default:
      return unreachable(one)
  }
}
