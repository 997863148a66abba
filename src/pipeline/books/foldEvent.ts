import type { Result } from '../../contract/enums.ts'
import type { ServiceEvent } from '../../contract/events.ts'
import { unreachable } from '../../core/error.ts'
import type { LosingStreak } from '../../guard/index.ts'
import { type Books, countedProfit, type Results, realisedWith, type Seat, tallied } from './books.ts'
import { withTerms } from './byTerms.ts'
import { type Ended, type Said, saidOfSeat, withSaid } from './said.ts'

/** The books after one event of the stream. */
export const foldEvent = (books: Books, event: ServiceEvent, ended: Ended): Books => ({
  ...withSaid(books, saidByEvent(books, event), ended),
  ...resultsAfter(books, event),
})

/** What an event says of tickets and seats. */
export function saidByEvent({ seats, tickets }: Pick<Books, 'seats' | 'tickets'>, event: ServiceEvent): readonly Said[] {
  switch (event.type) {
    case 'match.found': {
      const { ticketId, contestId, mode, stake } = event.data
      const durationSec = seats.get(contestId)?.durationSec ?? (tickets.get(ticketId)?.durationSec || undefined)
      return [{ of: 'ticketOver', ticketId }, saidOfSeat(contestId, { ticketId, mode, stake, durationSec, ready: true })]
    }
    case 'ticket.expired':
    case 'ticket.failed':
      return [{ of: 'ticketOver', ticketId: event.data.ticketId }]
    case 'contest.joined': {
      // Ours or another's: either way this agent has a seat there, asked for or not.
      const { contestId } = event.data
      return [{ of: 'seat', contestId, change: (known) => seatsOf(event.data, known) }]
    }
    case 'contest.live': {
      const { contestId, mode, startsAt, endsAt } = event.data
      return [{ of: 'seat', contestId, change: (known) => ({ ...toLive(known), mode, startsAt, endsAt }) }]
    }
    case 'contest.settled':
    case 'contest.cancelled':
      return [{ of: 'seatOver', contestId: event.data.contestId }]
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
