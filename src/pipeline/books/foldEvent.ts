import type { Result } from '../../contract/enums.ts'
import type { ServiceEvent } from '../../contract/events.ts'
import { unreachable } from '../../core/error.ts'
import type { LosingStreak } from '../../guard/index.ts'
import { type Books, countedProfit, emptySeat, type Results, realisedWith, type Seat, tallied } from './books.ts'
import { withTerms } from './byTerms.ts'

/**
 * Ids of tickets and contests that are over. It only grows: an answer that arrives after the event
 * which ended a thing must not open it again.
 */
export type Ended = Set<string>

/** The books after one event of the stream. */
export const foldEvent = (books: Books, event: ServiceEvent, ended: Ended): Books => ({
  ...seatsAfter(books, event, ended),
  ...resultsAfter(books, event),
})

/** Tickets and seats after an event. */
export function seatsAfter(books: Books, event: ServiceEvent, ended: Ended): Books {
  switch (event.type) {
    case 'match.found': {
      const { ticketId, contestId, mode, stake } = event.data
      const durationSec = books.seats.get(contestId)?.durationSec ?? (books.tickets.get(ticketId)?.durationSec || undefined)
      return withSeat(withoutTicket(books, ticketId, ended), contestId, { ticketId, mode, stake, durationSec, ready: true }, ended)
    }
    case 'ticket.expired':
    case 'ticket.failed':
      return withoutTicket(books, event.data.ticketId, ended)
    case 'contest.joined':
      // Ours or another's: either way this agent has a seat there, asked for or not.
      return withSeat(books, event.data.contestId, seatsOf(event.data, books.seats.get(event.data.contestId)), ended)
    case 'contest.live': {
      const { contestId, mode, startsAt, endsAt } = event.data
      return withSeat(books, contestId, { ...toLive(books.seats.get(contestId)), mode, startsAt, endsAt }, ended)
    }
    case 'contest.settled':
    case 'contest.cancelled':
      return withoutSeat(books, event.data.contestId, ended)
    default:
      return unreachable(event)
  }
}

/** Results after an event, as far as it changes them. `books` still have its seat. */
export function resultsAfter(books: Books, event: ServiceEvent): Partial<Results> {
  if (event.type === 'contest.cancelled') return { cancelled: books.cancelled + 1 }
  if (event.type !== 'contest.settled') return {}
  const { contestId, mode, result, stake, profit, versus = 'UNKNOWN' } = event.data
  const { startsAt, endsAt, stake: known } = books.seats.get(contestId) ?? {}
  const durationSec = startsAt === undefined || endsAt === undefined ? undefined : Math.round((endsAt - startsAt) / 1000)
  const counted = countedProfit(event.data, known)
  return {
    byMode: tallied(books.byMode, { mode, result, profit }),
    byTerms: withTerms(books.byTerms, { mode, versus, stake, durationSec, result, profit }),
    staked: books.staked + stake,
    realised: realisedWith(books, { at: event.createdAt, profit, counted, result, stake, mode, contestId }),
    doubted: books.doubted + profit - counted,
    streak: streakAfter(books, { result, at: event.createdAt }),
  }
}

/** How many seats there are, as far as it is told. */
export const seatsOf = (told: Partial<Pick<Seat, 'capacity' | 'filled'>>, known: Seat | undefined): Pick<Seat, 'capacity' | 'filled'> => ({
  capacity: told.capacity ?? known?.capacity,
  filled: told.filled ?? known?.filled,
})

/** A refund says nothing about who plays better: it neither ends a streak nor makes it longer. */
function streakAfter({ streak }: Books, { result, at }: { result: Result; at: number }): LosingStreak {
  if (result === 'REFUND') return streak
  return result === 'LOSS' ? { losses: streak.losses + 1, lastAt: at } : { losses: 0, lastAt: streak.lastAt }
}

function without<K, V>(map: ReadonlyMap<K, V>, key: K): ReadonlyMap<K, V> {
  if (!map.has(key)) return map
  const left = new Map(map)
  left.delete(key)
  return left
}

/** What the mode of an open contest said of moves. */
const NOTHING_SAID = {
  turn: undefined,
  refusedPicks: [],
  turnEndsAt: undefined,
  turnMs: undefined,
  movesAhead: undefined,
  commitBy: undefined,
  commitsUntil: undefined,
  revealFrom: undefined,
  commitsPastEnd: false,
  isTooLate: false,
}

/** A contest goes live: its turns and times may be others than they were to be. */
export const toLive = (seat: Seat | undefined): Partial<Seat> => (seat?.phase === 'live' ? {} : { phase: 'live', ...NOTHING_SAID })

/** The seat with these fields changed; a new one where there was none; none in a contest that is over. */
export function withSeat(books: Books, contestId: string, change: Partial<Seat>, ended: ReadonlySet<string>): Books {
  if (ended.has(contestId)) return books
  const seat = books.seats.get(contestId) ?? emptySeat(contestId)
  return { ...books, seats: new Map(books.seats).set(contestId, { ...seat, ...change }) }
}

export function withoutSeat(books: Books, contestId: string, ended: Ended): Books {
  ended.add(contestId)
  return books.seats.has(contestId) ? { ...books, seats: without(books.seats, contestId) } : books
}

export function withoutTicket(books: Books, ticketId: string, ended: Ended): Books {
  ended.add(ticketId)
  return books.tickets.has(ticketId) ? { ...books, tickets: without(books.tickets, ticketId) } : books
}
