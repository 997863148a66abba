import { unreachable } from '../../core/error.ts'
import type { OpenContestView } from '../../strategy/view.ts'
import type { Intent } from '../protocol/input.ts'
import type { Books, Seat } from './books.ts'
import { type Ended, seatsOf, withoutSeat, withoutTicket, withSeat } from './foldEvent.ts'

/** An action that took effect. */
export interface Accepted {
  readonly intent: Intent
  /** The contest it joins, as it was listed. */
  readonly listed: OpenContestView | undefined
  /** The ticket or contest it made. */
  readonly made: string | undefined
  readonly now: number
}

/** The books after an accepted action. Events say the same, before or later: both ways round give the same books. */
export function foldAccepted(books: Books, { intent, listed, made, now }: Accepted, ended: Ended): Books {
  const { action, stake } = intent
  const seat = (contestId: string, change: Partial<Seat>) => withSeat(books, contestId, change, ended)
  switch (action.type) {
    case 'swap':
    case 'sweep':
      // What a swap changes is known from the chain, as a fill.
      return books
    case 'enqueue': {
      if (made === undefined) return books
      const { mode, durationSec } = action
      if (ended.has(made)) {
        const seated = [...books.seats.values()].find(({ ticketId }) => ticketId === made)
        return seated === undefined ? books : seat(seated.contestId, { durationSec: seated.durationSec ?? durationSec })
      }
      return { ...books, tickets: new Map(books.tickets).set(made, { ticketId: made, mode, stake, durationSec }) }
    }
    case 'cancelTicket':
      return withoutTicket(books, action.ticketId, ended)
    case 'createContest':
      return made === undefined
        ? books
        : seat(made, { mode: action.mode, stake, durationSec: action.durationSec, ready: books.seats.get(made)?.ready ?? false })
    case 'joinContest':
      return seat(action.contestId, {
        stake,
        side: action.side,
        ready: books.seats.get(action.contestId)?.ready ?? false,
        readiedBy: action.readiedBy ?? 'framework',
        // What was read before may be of no seat, or of an earlier one.
        isRead: false,
        movedAt: now,
        ...(listed === undefined
          ? {}
          : {
              ...{ mode: listed.mode, token: listed.token, durationSec: listed.durationSec || undefined },
              ...seatsOf(listed, books.seats.get(action.contestId)),
            }),
      })
    case 'leaveContest':
      return withoutSeat(books, action.contestId, ended)
    case 'ready':
      return seat(action.contestId, { ready: action.ready })
    case 'draftPick':
      return seat(action.contestId, { turn: undefined, movedAt: now })
    case 'commitPrediction':
      return seat(action.contestId, { committed: true, commitBy: undefined, movedAt: now })
    case 'revealPrediction':
      return books
    default:
      return unreachable(action)
  }
}
