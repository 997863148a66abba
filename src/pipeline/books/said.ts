import { type Books, emptySeat, type Seat, type WaitingTicket } from './books.ts'

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
export function withSaid(books: Books, said: readonly Said[], ended: Ended): Books {
  if (said.length === 0) return books
  const [tickets, seats] = [new Map(books.tickets), new Map(books.seats)]
  for (const one of said)
    switch (one.of) {
      case 'ticketOver':
        ended.add(one.ticketId)
        tickets.delete(one.ticketId)
        break
      case 'seatOver':
        ended.add(one.contestId)
        seats.delete(one.contestId)
        break
      case 'ticket':
        if (!ended.has(one.ticketId)) tickets.set(one.ticketId, one.waits(tickets.get(one.ticketId)))
        break
      case 'seat': {
        const { contestId } = one
        if (ended.has(contestId)) break
        const known = seats.get(contestId)
        seats.set(contestId, { ...(known ?? emptySeat(contestId)), ...one.change(known) })
        break
      }
    }
  return { ...books, tickets, seats }
}
