import type { Contest, Ticket } from '../../contract/records.ts'
import { saysGone } from '../../contract/refusals.ts'
import { seatShows } from '../actions/reconciliation.ts'
import type { Books, Seat } from '../books/books.ts'
import { isWaiting, seatedIn } from '../books/foldAnswer.ts'
import type { Results } from '../money/results.ts'
import type { InputOf } from '../protocol/input.ts'
import { parseTaskKey, type TaskKeyOf } from '../protocol/taskKey.ts'
import type { Reads } from '../reads.ts'
import { Lifecycle } from '../state/lifecycle.ts'
import type { Present } from '../state/present.ts'
import type { ContestEnd } from './custodyMachine.ts'
import {
  type OpenThing,
  type OverdueEffect,
  type OverdueHappening,
  type OverdueSeen,
  type OverdueState,
  openSeat,
  overdueMachine,
  type SeenEnd,
  waitingTicket,
} from './overdueMachine.ts'
import type { Seats } from './seats.ts'

interface OverdueOptions {
  readonly present: Present
  readonly reads: Reads
  readonly seats: Seats
  readonly results: Results
  /** A contest is over. */
  readonly onContestEnded: (contestId: string, how: ContestEnd) => void
  /** A ticket is over, and its stake free. */
  readonly onTicketEnded: (ticketId: string) => void
}

/**
 * Looks up what the stream should have ended by now. No event tells of a ticket that was cancelled or a seat that was given back
 * elsewhere, by the owner on the service's page for one, and one that cannot be read tells nothing: without a look such a stake would count as in play
 * for ever.
 */
export class Overdue {
  readonly #options: OverdueOptions
  readonly #watched: Lifecycle<OverdueState, OverdueHappening, OverdueEffect, OverdueSeen>
  /** The books as they were when looks were planned. */
  #tickets: Books['tickets'] = new Map()
  #seats: Books['seats'] = new Map()
  /** Contests that the stream has called over, for everybody. */
  readonly #over = new Set<string>()
  /** Once the bot has caught up again, all that is open is looked up. */
  #isDoubted = false

  constructor(options: OverdueOptions) {
    this.#options = options
    const { present } = options
    const seen: OverdueSeen = {
      get now() {
        return present.now
      },
      get caughtUp() {
        return present.books.caughtUp
      },
    }
    this.#watched = new Lifecycle(overdueMachine, { present, seen, perform: (effect, { purpose }) => this.#perform(effect, purpose) })
  }

  /** Plans a look at what has come or changed, and none at what is gone. */
  tend(): void {
    const { books, now } = this.#options.present
    const { tickets, seats } = books
    if (this.#isDoubted && books.caughtUp) {
      this.#isDoubted = false
      for (const purpose of this.#watched.states.keys()) this.#watched.tell(purpose, { type: 'asked' })
    }
    if (tickets !== this.#tickets) {
      for (const id of this.#tickets.keys()) if (!tickets.has(id)) this.#watched.tell(`overdueTicket:${id}`, { type: 'told' })
      for (const id of tickets.keys()) {
        const purpose = `overdueTicket:${id}` as const
        if (!this.#watched.states.has(purpose)) this.#watched.begin(purpose, waitingTicket(id, now))
      }
      this.#tickets = tickets
    }
    if (seats === this.#seats) return
    for (const id of this.#seats.keys()) if (!seats.has(id)) this.#watched.tell(`overdueSeat:${id}`, { type: 'told' })
    for (const seat of seats.values()) {
      const { contestId, phase, endsAt } = seat
      const purpose = `overdueSeat:${contestId}` as const
      const known = this.#seats.get(contestId)
      const isNew = !this.#watched.states.has(purpose)
      if (isNew) this.#watched.begin(purpose, openSeat(contestId))
      // A seat that was only read again is due when it was.
      if (isNew || known?.phase !== phase || known.endsAt !== endsAt)
        this.#watched.tell(purpose, { type: 'changed', endsAt: phase === 'live' ? endsAt : undefined })
    }
    this.#seats = seats
  }

  /** The stream has said that a contest was settled or cancelled: whatever ticket led there has no seat any more. */
  onContestOver(contestId: string): void {
    this.#over.add(contestId)
  }

  /** The service has gone back to an older state: it may not know any more what is open here. */
  onRestored(): void {
    this.#isDoubted = true
  }

  /** The service has said that there is nothing to cancel. */
  lookAtTicket(ticketId: string): void {
    if (this.#options.present.books.tickets.has(ticketId)) this.#watched.tell(`overdueTicket:${ticketId}`, { type: 'asked' })
  }

  onDue(purpose: TaskKeyOf<'overdue'>): void {
    this.#watched.tell(purpose, { type: 'due' })
  }

  onAnswer({ request: { purpose, procedure }, result }: InputOf<'answer'>): void {
    const { books } = this.#options.present
    const { kind, subjectId } = parseTaskKey(purpose)
    if (kind === 'overdueTicket' && books.tickets.has(subjectId)) this.#watched.tell(purpose, { type: 'looked', end: endOfTicket(result) })
    if (kind !== 'overdueSeat') return
    const seat = books.seats.get(subjectId)
    if (seat === undefined) return
    const end = result.ok ? this.#endOfSeat(seat, procedure, result.output) : saysGone(result.refusal) ? 'gone' : undefined
    this.#watched.tell(purpose, { type: 'looked', end: end === undefined ? undefined : { status: end } })
  }

  #perform(effect: OverdueEffect, purpose: OpenThing): void {
    const { kind, subjectId } = parseTaskKey(purpose)
    if (effect.type === 'look') this.#look(purpose)
    else if (kind === 'overdueTicket') this.#endTicket(subjectId, effect.end)
    else this.#endSeat(subjectId, effect.end)
  }

  #look(purpose: OpenThing): void {
    const { present, reads } = this.#options
    const { kind, subjectId } = parseTaskKey(purpose)
    // Whose seats these are stands in the one, what became of a contest in the other.
    const isLive = kind === 'overdueSeat' && present.books.seats.get(subjectId)?.phase === 'live'
    const at =
      kind === 'overdueTicket'
        ? reads.ask(purpose, 'agent.queue.get', { ticketId: subjectId })
        : isLive
          ? reads.ask(purpose, 'agent.contests.get', { contestId: subjectId })
          : reads.ask(purpose, 'agent.contests.mine', null)
    if (at !== undefined) this.#watched.tell(purpose, { type: 'unread', at })
  }

  #endTicket(ticketId: string, { status, contestId }: SeenEnd): void {
    const { present, seats, onTicketEnded } = this.#options
    const { mode, stake } = present.books.tickets.get(ticketId) ?? {}
    seats.endTicket(ticketId)
    const isOver =
      contestId !== undefined && (this.#over.has(contestId) || present.books.realised.some((item) => item.contestId === contestId))
    // It waited until now: a seat that was given back there was another one.
    if (contestId !== undefined && !isOver) seats.take(contestId, { mode, stake, ready: true })
    present.step.note('warn', `a ticket is over and no event has said so: the service calls it ${status}`, { ticketId, contestId })
    onTicketEnded(ticketId)
  }

  #endSeat(contestId: string, { status }: SeenEnd): void {
    const { present, onContestEnded } = this.#options
    const seat = present.books.seats.get(contestId)
    if (seat === undefined) return
    const { stake, endsAt, mode = 'unknown' } = seat
    // Of one that was played nobody knows what came of it: it counts as what it may cost at most.
    const isLost = status === 'settled' || (status === 'gone' && seat.phase === 'live')
    if (isLost && stake !== undefined) {
      // On the day it ended: a restart finds the same contest again, and must not make it a loss of another day.
      const lost = {
        at: Math.min(present.now, endsAt ?? present.now),
        profit: -stake,
        counted: -stake,
        result: undefined,
        stake,
        mode,
        contestId,
      }
      this.#options.results.supposeLost(lost)
    }
    const [level, then] = isLost ? (['error', 'its stake counts as lost'] as const) : (['warn', 'its stake is free'] as const)
    present.step.note(level, `a contest is over (${status}) and no event has said so that could be read: ${then}`, { contestId })
    onContestEnded(contestId, isLost ? 'settled' : 'cancelled')
  }

  #endOfSeat({ contestId }: Seat, procedure: string, output: unknown): 'settled' | 'cancelled' | 'gone' | undefined {
    if (procedure === 'agent.contests.get') {
      const { status } = output as Contest
      return status === 'settled' || status === 'cancelled' ? status : undefined
    }
    const { paths } = this.#options.present.options
    const { evidence } = seatShows(output, contestId, { paths, whenThere: 'present' })
    return evidence === 'missing' ? 'gone' : undefined
  }
}

function endOfTicket(result: InputOf<'answer'>['result']): SeenEnd | undefined {
  if (!result.ok) return saysGone(result.refusal) ? { status: 'not known' } : undefined
  const ticket = result.output as Ticket
  return isWaiting(ticket) ? undefined : { status: ticket.status ?? 'not known', contestId: seatedIn(ticket) }
}
