import { isTradingMode } from '../../contract/enums.ts'
import { saysNo } from '../../contract/refusals.ts'
import { unreachable } from '../../core/error.ts'
import type { Action, ServiceAction } from '../../strategy/action.ts'
import type { Intents } from '../actions/intents.ts'
import { isActive, type Seat } from '../books/books.ts'
import type { Bot } from '../bot.ts'
import type { Figures } from '../money/figures.ts'
import type { InputOf } from '../protocol/input.ts'
import type { Outcome } from '../protocol/outcome.ts'
import { type Purpose, type PurposeOwnedBy, partsOf, plansItself } from '../protocol/purpose.ts'
import type { Reads } from '../reads.ts'
import type { ContestEnd } from '../seat/custodyMachine.ts'
import { Followed } from './followed.ts'
import { Moves } from './moves.ts'
import { Reveals } from './reveals.ts'

// What the framework does of its own accord, whatever the strategies do: it readies seats, looks for moves to make, reveals, and winds up while draining.

/** Of a contest whose reads leave out what the bot needs to know. */
const CONTEST_POLL_MS = 5000
/** Of a live contest whose service tells scores before its end. */
const STANDINGS_POLL_MS = 10_000
const RETRY_MS = 1000

/** A trader needs the contest's parameters, which no event has: the token it is about, for one. */
const isUnreadTrade = ({ mode, phase, isRead }: Seat): boolean => !isRead && phase === 'live' && mode !== undefined && isTradingMode(mode)

const isOfOneTicket = (purpose: Purpose): boolean => partsOf(purpose).kind === 'ticket'

export class Duties {
  readonly #bot: Bot
  readonly #intents: Intents
  readonly #reads: Reads
  readonly #figures: Figures
  /** The books can be trusted once the stream is read to its end, and so are the tickets and seats. */
  #isStreamRead = false
  readonly #awaited = new Set<Purpose>(['tickets', 'seatsAtStart'])
  readonly #followed: Followed
  readonly #moves: Moves
  readonly #reveals: Reveals
  /** Tickets of an earlier run that may still wait, and have not been read in this one. */
  readonly #unlisted = new Set<string>()
  /** Contests whose seat the policy of an earlier run said that it readies itself. */
  readonly #ownReadies = new Set<string>()

  constructor(bot: Bot, { intents, reads, figures }: { readonly intents: Intents; readonly reads: Reads; readonly figures: Figures }) {
    this.#bot = bot
    this.#figures = figures
    this.#intents = intents
    this.#reads = reads
    this.#followed = new Followed(bot, reads)
    this.#moves = new Moves(bot, { reads, followed: this.#followed })
    this.#reveals = new Reveals(bot, { intents, followed: this.#followed })
  }

  /** @param started of its tickets the service's list may show the newest twenty alone */
  start({ tickets = [], ownReadies = [] }: InputOf<'started'>): void {
    for (const ticketId of tickets) this.#unlisted.add(ticketId)
    for (const contestId of ownReadies) this.#ownReadies.add(contestId)
    this.#figures.refresh()
    this.#reads.ask('tickets', 'agent.queue.list', null)
  }

  /** The stream was read to its end, or could not be. */
  onStream(isCaughtUp: boolean): void {
    this.#isStreamRead = isCaughtUp
    this.#updateCaughtUp()
  }

  /** The service is another one than it was: nothing is decided before its lists are read once more. */
  onRestored(): void {
    this.#awaited.add('tickets')
    this.onStream(false)
    this.#figures.refresh()
    this.#reads.ask('tickets', 'agent.queue.list', null)
  }

  onAnswer(answer: InputOf<'answer'>, againAt: number | undefined): void {
    const { request, result } = answer
    this.#reveals.onAnswer(answer)
    const { agenda } = this.#bot
    const { purpose } = request
    const { kind } = partsOf(purpose)
    // One that the service does not know any more waits for nothing.
    if (kind === 'ticket' && !result.ok && saysNo(result.refusal)) {
      this.#onAwaited(purpose)
      return
    }
    // A look for early moves, or for standings, has its pace, whatever it comes to; lifecycles plan their own.
    const hasOwnPace = kind === 'early' || kind === 'standings' || plansItself(purpose)
    if (againAt !== undefined && !hasOwnPace) agenda.soon(purpose, againAt)
    if (!result.ok && saysNo(result.refusal)) this.#onUnreadable(purpose)
    if (!result.ok) return
    this.#onAwaited(purpose)
  }

  /**
   * Seats are read after the tickets: a ticket that was matched in between would be in neither, where the stream was read before, and
   * what is played there would be unknown to whoever enters next.
   */
  #onAwaited(purpose: Purpose): void {
    if (!this.#awaited.delete(purpose)) return
    const isOfTickets = purpose === 'tickets' || isOfOneTicket(purpose)
    const isLast = ![...this.#awaited].some(isOfOneTicket)
    if (isOfTickets && isLast) this.#readSeats()
    this.#updateCaughtUp()
  }

  #readSeats(): void {
    this.#awaited.add('seatsAtStart')
    this.#reads.ask('seatsAtStart', 'agent.contests.mine', null)
  }

  /** A service that does not show a contest does not say there what the mode's state leaves out either. */
  #onUnreadable(purpose: Purpose): void {
    const { kind, about: contestId } = partsOf(purpose)
    const { books, seats } = this.#bot
    if (kind !== 'contest' || books.seats.get(contestId)?.lacksPiece !== true) return
    seats.change(contestId, { isRead: true })
  }

  onOutcome(action: Action, outcome: Outcome): void {
    const { agenda, now } = this.#bot
    if (outcome.status === 'accepted' || !('contestId' in action)) return
    const { type, contestId } = action
    if (type === 'ready') {
      agenda.set(`ready:${contestId}`, now + RETRY_MS)
      // It may be ready already, or no seat at all.
      this.#reads.ask(`contest:${contestId}`, 'agent.contests.get', { contestId })
    }
    if (type === 'revealPrediction') this.#reveals.onFailed(contestId)
    this.#moves.onFailed(action, outcome)
  }

  /** It is time for what was planned. */
  onDue(purpose: PurposeOwnedBy<'duties'>): void {
    const { books } = this.#bot
    const { kind, about } = partsOf(purpose)
    switch (kind) {
      case 'tickets':
        this.#reads.ask(purpose, 'agent.queue.list', null)
        return
      case 'seats':
      case 'seatsAtStart':
        this.#reads.ask(purpose, 'agent.contests.mine', null)
        return
      case 'ticket':
        this.#reads.ask(purpose, 'agent.queue.get', { ticketId: about })
        return
      case 'contest':
      case 'standings':
        if (books.seats.has(about)) this.#reads.ask(purpose, 'agent.contests.get', { contestId: about })
        return
      case 'early':
      case 'state':
        this.#moves.onDue(kind, about)
        return
      case 'reveal':
        this.#reveals.onDue(about)
        return
      default:
        unreachable(kind)
    }
  }

  /** Looks after every seat and ticket as the books now have them. */
  tend(): void {
    const { books } = this.#bot
    for (const seat of books.seats.values()) if (isActive(seat)) this.#tendSeat(seat)
    this.#reveals.closeCustody({ seatsRead: !this.#awaited.has('seatsAtStart') })
    const { input } = this.#bot.step
    // What was open in the middle of a journal that is being read back is long over.
    const isRestoring = input.type === 'event' && input.recorded
    if ((books.runMode === 'draining' || books.stopped === 'all') && !isRestoring) this.#windUp()
  }

  /** A contest is over: nothing of it is planned any more. */
  onContestEnded(contestId: string, how: ContestEnd): void {
    for (const kind of ['contest', 'standings', 'early', 'state', 'ready', 'leave'] as const) this.#followed.forget(`${kind}:${contestId}`)
    this.#moves.onContestEnded(contestId)
    this.#reveals.onContestEnded(contestId, how)
  }

  #updateCaughtUp(): void {
    if (this.#isStreamRead && this.#awaited.size === 0) this.#readUnlisted()
    const caughtUp = this.#isStreamRead && this.#awaited.size === 0
    if (this.#bot.books.caughtUp === caughtUp) return
    this.#bot.session.caughtUp(caughtUp)
    if (caughtUp) this.#figures.onCaughtUp()
  }

  /** What the stream has not ended and the list does not show is asked for one by one, before anything is decided. */
  #readUnlisted(): void {
    const { books, ended } = this.#bot
    for (const ticketId of this.#unlisted) {
      if (ended.has(ticketId) || books.tickets.has(ticketId)) continue
      this.#awaited.add(`ticket:${ticketId}`)
      this.#reads.ask(`ticket:${ticketId}`, 'agent.queue.get', { ticketId })
    }
    this.#unlisted.clear()
  }

  #tendSeat(seat: Seat): void {
    const { contestId, phase, mode } = seat
    this.#reveals.tend(seat)
    if (!this.#isStreamRead) return
    const lacksTerms = seat.stake === undefined || mode === undefined || (phase === 'open' && seat.ready === undefined)
    if (lacksTerms || isUnreadTrade(seat) || (seat.lacksPiece && !seat.isRead))
      this.#followed.follow(`contest:${contestId}`, CONTEST_POLL_MS)
    if (phase === 'open') this.#readySeat(seat)
    if (!this.#moves.tend(seat) && phase === 'live') this.#reveals.readWindow(seat)
    if (phase === 'live') this.#readStandings(seat)
  }

  /**
   * Half way through its window a contest is read for how its seats stand, and from then on again and again where that told a score: of a
   * service that keeps scores to itself until the end nothing more is asked.
   */
  #readStandings({ contestId, startsAt, endsAt, standings }: Seat): void {
    const purpose = `standings:${contestId}` as const
    if (startsAt === undefined || endsAt === undefined || this.#followed.isPlanned(purpose)) return
    const { agenda, now } = this.#bot
    const half = startsAt + (endsAt - startsAt) / 2
    const isTold = standings?.some(({ score }) => score !== undefined) === true
    const next = isTold ? Math.max(now + STANDINGS_POLL_MS, startsAt) : half
    if (next > now && next < endsAt) agenda.set(purpose, next)
  }

  #readySeat({ contestId, ready, readiedBy }: Seat): void {
    const { agenda, books } = this.#bot
    const action = { type: 'ready', contestId, ready: true } as const
    if (
      ready !== false ||
      readiedBy !== 'framework' ||
      this.#ownReadies.has(contestId) ||
      books.runMode !== 'running' ||
      books.stopped === 'all'
    )
      return
    // Who readies the seat is known once the answer to its join is.
    if (this.#intents.isUnderWay({ type: 'joinContest', contestId })) return
    if (agenda.has(`ready:${contestId}`) || this.#intents.isUnderWay(action)) return
    this.#intents.submit(action, 'framework')
  }

  /** Draining: what can still be taken back is. */
  #windUp(): void {
    const { books, agenda, now } = this.#bot
    for (const ticketId of books.tickets.keys()) this.#withdraw(`leave:${ticketId}`, { type: 'cancelTicket', ticketId })
    for (const { contestId, phase } of books.seats.values()) {
      if (phase === 'open') this.#withdraw(`leave:${contestId}`, { type: 'leaveContest', contestId })
    }
    // Whoever lost the race to withdraw learns from the stream what happened instead.
    if (books.tickets.size > 0) agenda.soon('tend', now + RETRY_MS)
  }

  #withdraw(purpose: Purpose, action: ServiceAction): void {
    const { agenda, now } = this.#bot
    if (agenda.has(purpose) || this.#intents.isUnderWay(action)) return
    agenda.set(purpose, now + 2 * RETRY_MS)
    this.#intents.submit(action, 'framework')
  }
}
