import { type GuardView, identityOf, type OwnSeat, type Reservations } from '../guard/index.ts'
import type { GuardConfig } from '../strategy/config.ts'
import { type Books, inPlay, isActive, joinableOf, lostToday, type Seat } from './state.ts'

/** A list of open contests older than this is not joined from: its seats are likely gone. */
const LIST_MAX_AGE_MS = 15_000
/** Modes in which a seat is asked for by side. */
const SIDED_MODES: ReadonlySet<string> = new Set(['up_down'])

export const isSided = (mode: string): boolean => SIDED_MODES.has(mode)

/** What the guard is shown of the books, as of one input. */
export function guardViewOf(options: { books: Books; reservations: Reservations; config: GuardConfig; now: number }): GuardView {
  const { books, reservations, config, now } = options
  const seats = [...books.seats.values()].filter(isActive)
  const listed = books.openContests
  return {
    now,
    config,
    reservations,
    runMode: books.runMode,
    caughtUp: books.caughtUp,
    limits: books.limits,
    available: books.bankroll === undefined ? undefined : { value: books.bankroll.value.available, begunAt: books.bankroll.begunAt },
    lostToday: lostToday(books, now),
    inPlay: inPlay(books),
    openContests: seats.length,
    openTickets: books.tickets.size,
    joinable: (contestId) => {
      if (listed === undefined || now - listed.begunAt > LIST_MAX_AGE_MS) return undefined
      const contest = joinableOf(books, contestId)
      return contest === undefined ? undefined : { stake: contest.stake, sidesTaken: contest.sidesTaken, sided: isSided(contest.mode) }
    },
    seat: (contestId) => {
      const seat = books.seats.get(contestId)
      return seat === undefined ? undefined : ownSeatOf(seat, { books, reservations, now })
    },
    ticket: (ticketId) => books.tickets.has(ticketId),
    sibling: (contest) => {
      for (const entry of books.siblings.values()) {
        if ('contestId' in contest) {
          if (entry.contestId === contest.contestId) return entry.bot
        } else if (
          entry.ticket?.mode === contest.mode &&
          entry.ticket.stake === contest.stake &&
          entry.ticket.durationSec === contest.durationSec
        ) {
          return entry.bot
        }
      }
      return undefined
    },
  }
}

/**
 * Whether a prediction of this bot can be revealed. One whose commitment is still without an answer
 * can: if it was taken, its stake is lost without a reveal; if it was not, the service says no.
 */
export function isRevealable(contestId: string, { books, reservations }: { books: Books; reservations: Reservations }): boolean {
  const status = books.custody.get(contestId)?.status
  const commit = identityOf({ type: 'commitPrediction', contestId, price: '' })
  return status === 'committed' || (status === 'made' && reservations.pendingTwin(commit) !== undefined)
}

function ownSeatOf(seat: Seat, view: { books: Books; reservations: Reservations; now: number }): OwnSeat {
  return {
    mode: seat.mode ?? 'unknown',
    phase: seat.phase,
    draftable: seat.turn?.available,
    commitOpen: seat.entryId !== undefined && seat.committed !== true && seat.commitBy !== undefined && view.now < seat.commitBy,
    revealable: isRevealable(seat.contestId, view),
  }
}
