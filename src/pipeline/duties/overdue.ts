import type { Contest, Ticket } from '../../contract/records.ts'
import { saysGone } from '../../contract/refusals.ts'
import { seatShows } from '../actions/reconciliation.ts'
import { type Books, isActive, type Seat } from '../books/books.ts'
import { isWaiting, seatedIn } from '../books/foldAnswer.ts'
import type { Bot } from '../bot.ts'
import type { InputOf } from '../protocol/input.ts'
import { type Purpose, type PurposeOwnedBy, partsOf } from '../protocol/purpose.ts'
import type { Reads } from '../reads.ts'
import type { ContestEnd } from '../seat/custodyMachine.ts'

/** A ticket that waits, and a contest that does not begin, are looked up so often. */
const WAITING_MS = 300_000
/** So long after its end a contest is looked up, and again. */
const LATE_MS = 60_000
/** The event that says the same may be on its way: an end counts that a second look, so much later, shows again. */
const CONFIRM_MS = 10_000

interface OverdueOptions {
  readonly bot: Bot
  readonly reads: Reads
  /** A contest is over. */
  readonly onContestEnded: (contestId: string, how: ContestEnd) => void
  /** A ticket is over, and its stake free. */
  readonly onTicketEnded: () => void
}

/**
 * Looks up what the stream should have ended by now. No event tells of a ticket that was cancelled or a seat that was given back
 * elsewhere, by the owner on the service's page for one, and one that cannot be read tells nothing: without a look such a stake would count as in play
 * for ever.
 */
export class Overdue {
  readonly #options: OverdueOptions
  /** The books as they were when looks were planned. */
  #tickets: Books['tickets'] = new Map()
  #seats: Books['seats'] = new Map()
  /** Purposes whose last look showed an end. */
  readonly #ended = new Set<Purpose>()
  /** Contests that the stream has called over, for everybody. */
  readonly #over = new Set<string>()
  /** Once the bot has caught up again, all that is open is looked up. */
  #isDoubted = false

  constructor(options: OverdueOptions) {
    this.#options = options
  }

  /** Plans a look at what has come or changed, and none at what is gone. */
  tend(): void {
    const { agenda, books, now } = this.#options.bot
    const { tickets, seats } = books
    if (this.#isDoubted && books.caughtUp) this.#lookAtAll()
    if (tickets !== this.#tickets) {
      for (const id of this.#tickets.keys()) if (!tickets.has(id)) this.#drop(`overdueTicket:${id}`)
      for (const id of tickets.keys()) if (!this.#tickets.has(id)) agenda.set(`overdueTicket:${id}`, now + WAITING_MS)
      this.#tickets = tickets
    }
    if (seats === this.#seats) return
    for (const id of this.#seats.keys()) if (!seats.has(id)) this.#drop(`overdueSeat:${id}`)
    for (const seat of seats.values()) {
      const { contestId, phase, endsAt } = seat
      const known = this.#seats.get(contestId)
      // A seat that was only read again is due when it was.
      if (isActive(seat) && (known?.phase !== phase || known.endsAt !== endsAt)) agenda.set(`overdueSeat:${contestId}`, this.#dueOf(seat))
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
    const { agenda, books, now } = this.#options.bot
    if (books.tickets.has(ticketId)) agenda.soon(`overdueTicket:${ticketId}`, now)
  }

  onDue(purpose: PurposeOwnedBy<'overdue'>): void {
    const { bot, reads } = this.#options
    const { kind, about } = partsOf(purpose)
    if (kind === 'overdueTicket') reads.ask(purpose, 'agent.queue.get', { ticketId: about })
    // Whose seats these are stands in the one, what became of a contest in the other.
    else if (bot.books.seats.get(about)?.phase === 'live') reads.ask(purpose, 'agent.contests.get', { contestId: about })
    else reads.ask(purpose, 'agent.contests.mine', null)
  }

  onAnswer({ request: { purpose, procedure }, result }: InputOf<'answer'>): void {
    const { books } = this.#options.bot
    const { kind, about } = partsOf(purpose)
    if (kind === 'overdueTicket' && books.tickets.has(about)) this.#onTicket(about, result)
    if (kind === 'overdueSeat') {
      const seat = books.seats.get(about)
      if (seat !== undefined && isActive(seat)) this.#onSeat(seat, procedure, result)
    }
  }

  #lookAtAll(): void {
    const { agenda, books, now } = this.#options.bot
    this.#isDoubted = false
    for (const ticketId of books.tickets.keys()) agenda.soon(`overdueTicket:${ticketId}`, now)
    for (const seat of books.seats.values()) if (isActive(seat)) agenda.soon(`overdueSeat:${seat.contestId}`, now)
  }

  #onTicket(ticketId: string, result: InputOf<'answer'>['result']): void {
    const { bot, onTicketEnded } = this.#options
    const purpose: Purpose = `overdueTicket:${ticketId}`
    const waitsNoMore = result.ok ? !isWaiting(result.output as Ticket) : saysGone(result.refusal)
    if (!this.#isSure(purpose, waitsNoMore, WAITING_MS)) return
    const { mode, stake } = bot.books.tickets.get(ticketId) ?? {}
    const { status = 'not known' } = result.ok ? (result.output as Ticket) : {}
    const contestId = result.ok ? seatedIn(result.output as Ticket) : undefined
    bot.seats.endTicket(ticketId)
    const isOver = contestId !== undefined && (this.#over.has(contestId) || bot.books.realised.some((item) => item.contestId === contestId))
    // It waited until now: a seat that was given back there was another one.
    if (contestId !== undefined && !isOver) bot.seats.take(contestId, { mode, stake, ready: true })
    bot.step.note('warn', `a ticket is over and no event has said so: the service calls it ${status}`, { ticketId, contestId })
    onTicketEnded()
  }

  #onSeat(seat: Seat, procedure: string, result: InputOf<'answer'>['result']): void {
    const { bot, onContestEnded } = this.#options
    const { contestId, stake, endsAt, mode = 'unknown' } = seat
    const end = result.ok ? this.#endIn(seat, procedure, result.output) : saysGone(result.refusal) ? 'gone' : undefined
    if (!this.#isSure(`overdueSeat:${contestId}`, end !== undefined, LATE_MS)) return
    // Of one that was played nobody knows what came of it: it counts as what it may cost at most.
    const isLost = end === 'settled' || (end === 'gone' && seat.phase === 'live')
    if (isLost && stake !== undefined) {
      // On the day it ended: a restart finds the same contest again, and must not make it a loss of another day.
      const lost = { at: Math.min(bot.now, endsAt ?? bot.now), profit: -stake, counted: -stake, result: undefined, stake, mode, contestId }
      bot.results.supposeLost(lost)
    }
    const [level, then] = isLost ? (['error', 'its stake counts as lost'] as const) : (['warn', 'its stake is free'] as const)
    bot.step.note(level, `a contest is over (${end}) and no event has said so that could be read: ${then}`, { contestId })
    onContestEnded(contestId, isLost ? 'settled' : 'cancelled')
  }

  #endIn({ contestId }: Seat, procedure: string, output: unknown): 'settled' | 'cancelled' | 'gone' | undefined {
    if (procedure === 'agent.contests.get') {
      const { status } = output as Contest
      return status === 'settled' || status === 'cancelled' ? status : undefined
    }
    const { paths } = this.#options.bot.options
    const { sight } = seatShows(output, contestId, { paths, whenThere: 'shown' })
    return sight === 'missing' ? 'gone' : undefined
  }

  /** Whether an end was seen twice while the stream was read; else plans the next look. */
  #isSure(purpose: Purpose, isSeen: boolean, nextMs: number): boolean {
    const { agenda, books, now } = this.#options.bot
    // What cannot be read now may say it all.
    const isOver = isSeen && books.caughtUp
    if (isOver && this.#ended.has(purpose)) {
      this.#drop(purpose)
      return true
    }
    if (isOver) this.#ended.add(purpose)
    else this.#ended.delete(purpose)
    agenda.set(purpose, now + (isOver ? CONFIRM_MS : nextMs))
    return false
  }

  #dueOf({ contestId, phase, endsAt }: Seat): number {
    const { now } = this.#options.bot
    if (this.#ended.has(`overdueSeat:${contestId}`)) return now + CONFIRM_MS
    return phase === 'live' && endsAt !== undefined ? Math.max(endsAt, now) + LATE_MS : now + WAITING_MS
  }

  #drop(purpose: Purpose): void {
    this.#ended.delete(purpose)
    this.#options.bot.agenda.drop(purpose)
  }
}
