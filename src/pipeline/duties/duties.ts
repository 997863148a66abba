import { isTradingMode } from '../../contract/enums.ts'
import type { Action, ServiceAction } from '../../strategy/action.ts'
import type { Intents } from '../actions/intents.ts'
import { isActive, type Seat } from '../books/books.ts'
import { withSeat } from '../books/foldEvent.ts'
import type { Bot } from '../bot.ts'
import { isRevealable } from '../guardView.ts'
import type { InputOf, Outcome } from '../input.ts'
import { type Reads, saysNo } from '../reads.ts'

// What the framework does of its own accord, whatever the strategies do: it keeps the money figures
// fresh, readies seats, follows the modes' states, reveals, and winds up while draining.

/** The figures of money are read so often while they hold. */
const MONEY_READS = 6
const DRAFT_POLL_MS = 230
const COMMIT_POLL_MS = 500
/** Of an open contest, whose mode may take moves before it is live: of one, of each of many, and of any while there are moves to make elsewhere. */
const EARLY_POLL_MS = { one: 3000, each: 1000, beside: 5000 }
/** Between two tries of a move that is refused before its contest is live. */
const EARLY_RETRY_MS = 5000
/** Of a mode's state that does not say from when it takes reveals: its phase does, once it does. */
const REVEAL_POLL_MS = 2000
/** Of a contest whose reads leave out what the bot needs to know. */
const CONTEST_POLL_MS = 5000
const RETRY_MS = 1000
const REVEAL_RETRY_MS = 500
/** A reveal that is sent on the very millisecond may be early by the service's clock. */
const REVEAL_MARGIN_MS = 50

/** A trader needs the contest's parameters, which no event has: the token it is about, for one. */
const isUnreadTrade = ({ mode, phase, isRead }: Seat): boolean => !isRead && phase === 'live' && mode !== undefined && isTradingMode(mode)

/**
 * When a prediction may be shown: as the mode's state says, where it does not say from the contest's end; never while commits
 * may still be open, since others would see it before they decide. Undefined while that is not known.
 */
export function revealableFrom({ revealFrom, endsAt, startsAt, commitsUntil }: Seat): number | undefined {
  const said = revealFrom ?? endsAt
  const commitsClose = commitsUntil ?? startsAt ?? endsAt
  return said === undefined || commitsClose === undefined ? undefined : Math.max(said, commitsClose)
}

/** How a contest came to its end: settled in any other way than won, or cancelled. */
export type ContestEnd = 'won' | 'settled' | 'cancelled'

export class Duties {
  readonly #bot: Bot
  readonly #intents: Intents
  readonly #reads: Reads
  /** What has to be answered before the books can be trusted: the stream, and the reads of tickets and seats. */
  readonly #awaited = new Set(['stream', 'tickets', 'seats'])
  /** Reads that were asked for once: from then on they keep their period, whatever the answers leave out. */
  readonly #followed = new Set<string>()
  /** Tickets of an earlier run that may still wait, and have not been read in this one. */
  readonly #unlisted = new Set<string>()
  /** Contests whose seat the policy of an earlier run said that it readies itself. */
  readonly #ownReadies = new Set<string>()
  /** Open contests that have refused a move. */
  readonly #refusedEarly = new Set<string>()
  /** Contests that ended with a prediction in custody which is not closed yet. */
  readonly #over = new Map<string, ContestEnd>()

  constructor(bot: Bot, intents: Intents, reads: Reads) {
    this.#bot = bot
    this.#intents = intents
    this.#reads = reads
  }

  /** @param started of its tickets the service's list may show the newest twenty alone */
  start({ tickets = [], ownReadies = [] }: InputOf<'started'>): void {
    for (const ticketId of tickets) this.#unlisted.add(ticketId)
    for (const contestId of ownReadies) this.#ownReadies.add(contestId)
    this.#refreshMoney()
    this.#reads.ask('tickets', 'agent.queue.list', null)
    this.#reads.ask('seats', 'agent.contests.mine', null)
  }

  /** The stream was read to its end, or could not be. */
  onStream(isCaughtUp: boolean): void {
    if (isCaughtUp) this.#awaited.delete('stream')
    else this.#awaited.add('stream')
    this.#updateCaughtUp()
  }

  onAnswer({ request, result }: InputOf<'answer'>): void {
    const again = this.#reads.answered({ request, result } as InputOf<'answer'>)
    const { agenda, books, options, reservations, now } = this.#bot
    const { purpose } = request
    // One that the service does not know any more waits for nothing.
    if (purpose.startsWith('ticket:') && !result.ok && saysNo(result.refusal)) {
      if (this.#awaited.delete(purpose)) this.#updateCaughtUp()
      return
    }
    // A look for early moves has its pace, whatever it comes to.
    if (again !== undefined && !purpose.startsWith('early:')) agenda.soon(purpose, again)
    if (!result.ok && saysNo(result.refusal)) this.#onUnreadable(purpose)
    if (!result.ok) return
    if (purpose === 'limits' || purpose === 'bankroll') {
      if (again === undefined) agenda.set(purpose, now + options.figuresHoldMs / MONEY_READS)
      const { limits, bankroll } = books
      if (bankroll !== undefined) reservations.seenSwaps(bankroll.begunAt)
      if (limits !== undefined && bankroll !== undefined) reservations.seen(Math.min(limits.begunAt, bankroll.begunAt))
    }
    if (this.#awaited.delete(purpose)) this.#updateCaughtUp()
  }

  /** A service that does not show a contest does not say there what the mode's state leaves out either. */
  #onUnreadable(purpose: string): void {
    const [kind, contestId = ''] = purpose.split(':')
    const { books, ended } = this.#bot
    if (kind !== 'contest' || books.seats.get(contestId)?.lacksEntry !== true) return
    this.#bot.books = withSeat(books, contestId, { isRead: true }, ended)
  }

  /** Something that moves money has happened: the service's figures are old. */
  onMoneyMoved(): void {
    this.#bot.moneyMovedAt = this.#bot.now
    this.#refreshMoney()
  }

  /** A swap was executed: what is free is another figure, and no limit is, since these are of stakes. */
  onSwapped(): void {
    this.#bot.moneyMovedAt = this.#bot.now
    this.#reads.ask('bankroll', 'agent.bankroll', null)
  }

  onOutcome(action: Action, status: Outcome['status']): void {
    const { agenda, now } = this.#bot
    if (status === 'accepted' || !('contestId' in action)) return
    const { type, contestId } = action
    if (type === 'ready') {
      agenda.set(`ready:${contestId}`, now + RETRY_MS)
      // It may be ready already, or no seat at all.
      this.#reads.ask(`contest:${contestId}`, 'agent.contests.get', { contestId })
    }
    if (type === 'revealPrediction') agenda.set(`reveal:${contestId}`, now + REVEAL_RETRY_MS)
    if (type !== 'draftPick' && type !== 'commitPrediction') return
    if (status === 'rejected' && this.#bot.books.seats.get(contestId)?.phase === 'open') {
      this.#refusedEarly.add(contestId)
      agenda.set(`state:${contestId}`, now + EARLY_RETRY_MS)
    } else agenda.soon(`state:${contestId}`, now + (type === 'draftPick' ? DRAFT_POLL_MS : COMMIT_POLL_MS))
  }

  /** It is time for what was planned; purposes of others are let be. */
  onDue(purpose: string): void {
    const { books } = this.#bot
    const [kind = '', contestId = ''] = purpose.split(':')
    switch (kind) {
      case 'limits':
        this.#reads.ask(purpose, 'agent.limits', null)
        return
      case 'bankroll':
        this.#reads.ask(purpose, 'agent.bankroll', null)
        return
      case 'tickets':
        this.#reads.ask(purpose, 'agent.queue.list', null)
        return
      case 'seats':
        this.#reads.ask(purpose, 'agent.contests.mine', null)
        return
      case 'ticket':
        this.#reads.ask(purpose, 'agent.queue.get', { ticketId: contestId })
        return
      case 'contest':
        if (books.seats.has(contestId)) this.#reads.ask(purpose, 'agent.contests.get', { contestId })
        return
      case 'early':
        if (books.seats.get(contestId)?.phase === 'open') this.#reads.ask(purpose, 'agent.modes.state', { contestId })
        return
      case 'state':
        if (books.seats.has(contestId)) this.#reads.ask(purpose, 'agent.modes.state', { contestId })
        return
      case 'reveal':
        this.#reveal(contestId)
        return
      default:
        // `ready:` and `leave:` only say that it may be tried again: `tend` does it.
        return
    }
  }

  /** Looks after every seat and ticket as the books now have them. */
  tend(): void {
    const { books } = this.#bot
    for (const seat of books.seats.values()) if (isActive(seat)) this.#tendSeat(seat)
    this.#closeCustody()
    if (books.runMode === 'draining' || books.stopped === 'all') this.#windUp()
  }

  /** A contest is over: nothing of it is planned any more. */
  onContestEnded(contestId: string, how: ContestEnd): void {
    const { agenda, books } = this.#bot
    for (const kind of ['contest', 'early', 'state', 'ready', 'leave', 'reveal']) {
      agenda.drop(`${kind}:${contestId}`)
      this.#followed.delete(`${kind}:${contestId}`)
    }
    this.#refusedEarly.delete(contestId)
    if (books.custody.has(contestId)) this.#over.set(contestId, how)
  }

  /** Of contests that are over: an unrevealed prediction is lost, once it is known what became of its moves. */
  #closeCustody(): void {
    const { books, ended, step } = this.#bot
    // A seat that was given back: its stake is, too.
    for (const contestId of books.custody.keys())
      if (ended.has(contestId) && !this.#over.has(contestId)) this.#over.set(contestId, 'cancelled')
    for (const [contestId, how] of this.#over) {
      const isOpen = (type: 'commitPrediction' | 'revealPrediction') => this.#intents.isUnderWay({ type, contestId, price: '' })
      if (isOpen('commitPrediction') || isOpen('revealPrediction')) continue
      this.#over.delete(contestId)
      const held = books.custody.get(contestId)
      if (held === undefined) continue
      // Who has not revealed does not win: it was taken, whatever its answers said.
      const hasWon = how === 'won' && held.status === 'committed'
      if (hasWon) this.#intents.vault.move(contestId, 'revealed')
      if (hasWon || held.status === 'revealed') {
        this.#intents.vault.forget(contestId)
        continue
      }
      const isOwed = how === 'settled' && held.status === 'committed'
      const reason = this.#intents.vault.revealTrouble(contestId) ?? 'no reveal could be tried in its time'
      this.#intents.vault.move(contestId, isOwed ? 'missed' : 'dropped')
      if (isOwed)
        step.note('error', `a prediction was not revealed before its contest was settled, its stake is lost: ${reason}`, { contestId })
    }
  }

  #refreshMoney(): void {
    this.#reads.ask('limits', 'agent.limits', null)
    this.#reads.ask('bankroll', 'agent.bankroll', null)
  }

  #updateCaughtUp(): void {
    if (this.#awaited.size === 0) this.#readUnlisted()
    const caughtUp = this.#awaited.size === 0
    if (this.#bot.books.caughtUp !== caughtUp) this.#bot.books = { ...this.#bot.books, caughtUp }
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
    if (phase === 'live') this.#tendReveal(seat)
    else this.#lookWhetherLive(seat)
    if (this.#awaited.has('stream')) return
    const lacksTerms = seat.stake === undefined || mode === undefined || (phase === 'open' && seat.ready === undefined)
    if (lacksTerms || isUnreadTrade(seat) || (seat.lacksEntry && !seat.isRead)) this.#follow(`contest:${contestId}`, CONTEST_POLL_MS)
    if (phase === 'open') {
      this.#readySeat(seat)
      this.#lookForEarlyMoves(seat)
    }
    // What was refused then may be taken now, and a turn is short.
    if (phase === 'live' && this.#refusedEarly.delete(contestId)) this.#bot.agenda.soon(`state:${contestId}`, this.#bot.now)
    if (this.#isMoving(seat)) this.#follow(`state:${contestId}`, this.#statePollMs(seat))
    else if (phase === 'live') this.#readRevealWindow(seat)
  }

  /** A prediction that was committed to before has its time to be shown, whether or not the stream can be read, and its events. */
  #lookWhetherLive({ contestId }: Seat): void {
    const { books, reservations, step } = this.#bot
    const isPast = step.input.type === 'event' && step.input.recorded
    if (isPast || !isRevealable(contestId, { books, reservations })) return
    this.#follow(`contest:${contestId}`, books.custody.size * CONTEST_POLL_MS)
  }

  /** Not at once, since a match is live a moment later, as a rule, and seldom: only a state that waits for a move is followed. */
  #lookForEarlyMoves(seat: Seat): void {
    const { agenda, books, now } = this.#bot
    const purpose = `early:${seat.contestId}`
    if (!this.#mayMoveEarly(seat) || this.#isMoving(seat) || agenda.has(purpose) || this.#reads.isUnderWay(purpose)) return
    const seats = [...books.seats.values()]
    const open = seats.filter((other) => this.#mayMoveEarly(other)).length
    const { one, each, beside } = EARLY_POLL_MS
    const isBusy = seats.some((other) => this.#isMoving(other))
    agenda.set(purpose, now + (isBusy ? open * beside : Math.max(one, open * each)))
  }

  /** A seat that is not ready holds the contest up. */
  #mayMoveEarly({ contestId, mode, phase, ready }: Seat): boolean {
    return phase === 'open' && ready !== false && this.#owesMove(contestId, mode)
  }

  /** Whether the mode's state is to be followed closely. Before the contest is live nothing but the state itself can say so. */
  #isMoving(seat: Seat): boolean {
    return seat.phase === 'live' ? this.#hasMovesAhead(seat) : this.#mayMoveEarly(seat) && seat.movesAhead === true
  }

  /** Of its mode, and of what was committed: a draft always may. */
  #owesMove(contestId: string, mode: string | undefined): boolean {
    const status = this.#bot.books.custody.get(contestId)?.status
    return mode === 'draft_basket' || (mode === 'price_prediction' && (status === undefined || status === 'made'))
  }

  /** From when a prediction may be shown stands in the mode's state alone: as a time, or as a phase that comes before the end. */
  #readRevealWindow({ contestId, revealFrom, endsAt }: Seat): void {
    const { books, now } = this.#bot
    if (books.custody.get(contestId)?.status !== 'committed') return
    const purpose = `state:${contestId}`
    const isToldLater = revealFrom === undefined && (endsAt === undefined || now < endsAt)
    if (isToldLater || !this.#followed.has(purpose)) this.#follow(purpose, books.custody.size * REVEAL_POLL_MS)
  }

  /** Whether the state of a live contest can still ask for a move of ours. */
  #hasMovesAhead({ contestId, mode, startsAt, endsAt, movesAhead }: Seat): boolean {
    const { now } = this.#bot
    if (!this.#owesMove(contestId, mode) || (endsAt !== undefined && now >= endsAt)) return false
    // A service may take moves after the start, too: its state, which is read once at least, says whether it does.
    return startsAt === undefined || now < startsAt || (movesAhead ?? true)
  }

  /** Contests followed at once share the read limit: it must not leave the event stream without. */
  #statePollMs({ mode }: Seat): number {
    const followed = [...this.#bot.books.seats.values()].filter((seat) => this.#isMoving(seat))
    return followed.length * (mode === 'draft_basket' ? DRAFT_POLL_MS : COMMIT_POLL_MS)
  }

  /** Reads at once the first time, then every `periodMs`. */
  #follow(purpose: string, periodMs: number): void {
    const { agenda, now } = this.#bot
    if (agenda.has(purpose) || this.#reads.isUnderWay(purpose)) return
    agenda.set(purpose, this.#followed.has(purpose) ? now + periodMs : now)
    this.#followed.add(purpose)
  }

  /** Plans the reveal, whether or not the stream can be read: one that is not sent is a stake lost. */
  #tendReveal(seat: Seat): void {
    const { contestId, committed } = seat
    const { agenda, books, now, reservations, step } = this.#bot
    if (books.custody.size === 0) return
    // What the journal holds is not yet how things stand.
    if (step.input.type === 'event' && step.input.recorded) return
    if (committed === true && books.custody.get(contestId)?.status === 'made') this.#intents.vault.move(contestId, 'committed')
    const purpose = `reveal:${contestId}`
    if (!isRevealable(contestId, { books: this.#bot.books, reservations })) return
    if (this.#intents.isUnderWay({ type: 'revealPrediction', contestId })) return
    const from = revealableFrom(seat)
    if (from === undefined) return
    const at = from + REVEAL_MARGIN_MS
    // A time still to come may turn out to be nearer; one that is past is a try that came to nothing, and has its own.
    if (at > now || !agenda.has(purpose)) agenda.soon(purpose, at)
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

  #reveal(contestId: string): void {
    const action = { type: 'revealPrediction', contestId } as const
    const { books, reservations } = this.#bot
    if (!books.seats.has(contestId) || !isRevealable(contestId, { books, reservations }) || this.#intents.isUnderWay(action)) return
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

  #withdraw(purpose: string, action: ServiceAction): void {
    const { agenda, now } = this.#bot
    if (agenda.has(purpose) || this.#intents.isUnderWay(action)) return
    agenda.set(purpose, now + 2 * RETRY_MS)
    this.#intents.submit(action, 'framework')
  }
}
