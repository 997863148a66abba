import type { Action } from '../strategy/action.ts'
import type { Bot } from './bot.ts'
import type { InputOf } from './input.ts'
import type { Intents } from './intents.ts'
import type { Reads } from './reads.ts'
import { isActive, type Seat } from './state.ts'

// What the framework does of its own accord, whatever the strategies do: it keeps the money figures
// fresh, readies seats, follows the modes' states, reveals, and winds up while draining.

const MONEY_EVERY_MS = 10_000
const DRAFT_POLL_MS = 400
const COMMIT_POLL_MS = 500
const RETRY_MS = 1000
const REVEAL_RETRY_MS = 500
/** A reveal that is sent on the very millisecond may be early by the service's clock. */
const REVEAL_MARGIN_MS = 50

export class Duties {
  readonly #bot: Bot
  readonly #intents: Intents
  readonly #reads: Reads
  /** What has to be answered before the books can be trusted: the stream, and the reads of tickets and seats. */
  readonly #awaited = new Set(['stream', 'tickets', 'seats'])

  constructor(bot: Bot, intents: Intents, reads: Reads) {
    this.#bot = bot
    this.#intents = intents
    this.#reads = reads
  }

  start(): void {
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
    const { agenda, books, reservations, now } = this.#bot
    const { purpose } = request
    if (again !== undefined) agenda.soon(purpose, again)
    if (!result.ok) return
    if (purpose === 'limits' || purpose === 'bankroll') {
      if (again === undefined) agenda.set(purpose, now + MONEY_EVERY_MS)
      const { limits, bankroll } = books
      if (limits !== undefined && bankroll !== undefined) reservations.seen(Math.min(limits.begunAt, bankroll.begunAt))
    }
    if (this.#awaited.delete(purpose)) this.#updateCaughtUp()
  }

  /** Something that moves money has happened: the service's figures are old. */
  onMoneyMoved(): void {
    this.#refreshMoney()
  }

  onOutcome(action: Action, accepted: boolean): void {
    const { agenda, now } = this.#bot
    if (accepted || !('contestId' in action)) return
    const { type, contestId } = action
    if (type === 'ready') agenda.set(`ready:${contestId}`, now + RETRY_MS)
    if (type === 'revealPrediction') agenda.set(`reveal:${contestId}`, now + REVEAL_RETRY_MS)
    if (type === 'draftPick' || type === 'commitPrediction') agenda.soon(`state:${contestId}`, now)
  }

  /** @returns whether the purpose was one of the framework's own */
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
      case 'contest':
        if (books.seats.has(contestId)) this.#reads.ask(purpose, 'agent.contests.get', { contestId })
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
    if (books.runMode === 'draining') this.#windUp()
  }

  /** A contest is over: nothing of it is planned any more, and an unrevealed prediction is lost. */
  onContestEnded(contestId: string, how: 'settled' | 'cancelled'): void {
    const { agenda, books, step } = this.#bot
    for (const kind of ['contest', 'state', 'ready', 'leave', 'reveal']) agenda.drop(`${kind}:${contestId}`)
    const held = books.custody.get(contestId)
    if (held === undefined || this.#intents.isUnderWay({ type: 'revealPrediction', contestId })) return
    if (how === 'cancelled' || held.status === 'made') {
      this.#intents.setCustody(contestId, 'dropped')
      return
    }
    this.#intents.setCustody(contestId, 'missed')
    step.note('error', 'a prediction was not revealed before its contest was settled: its stake is lost', { contestId })
  }

  #refreshMoney(): void {
    this.#reads.ask('limits', 'agent.limits', null)
    this.#reads.ask('bankroll', 'agent.bankroll', null)
  }

  #updateCaughtUp(): void {
    const caughtUp = this.#awaited.size === 0
    if (this.#bot.books.caughtUp !== caughtUp) this.#bot.books = { ...this.#bot.books, caughtUp }
  }

  #tendSeat(seat: Seat): void {
    const { books, now } = this.#bot
    const { contestId } = seat
    if (!books.caughtUp && this.#awaited.has('stream')) return
    if (seat.stake === undefined || seat.mode === undefined || (seat.phase === 'open' && seat.ready === undefined)) {
      this.#planOnce(`contest:${contestId}`, now)
    }
    if (seat.phase === 'open') {
      this.#readySeat(seat)
      return
    }
    if (seat.mode === 'draft_basket' && (seat.startsAt === undefined || now < seat.startsAt)) {
      this.#planOnce(`state:${contestId}`, seat.entryId === undefined ? now : now + DRAFT_POLL_MS)
    }
    if (seat.mode === 'price_prediction') {
      const custody = books.custody.get(contestId)
      if (custody?.status === 'committed') {
        const from = Math.max(seat.revealFrom ?? 0, seat.endsAt ?? Number.POSITIVE_INFINITY)
        if (Number.isFinite(from)) this.#planOnce(`reveal:${contestId}`, from + REVEAL_MARGIN_MS)
      } else if (seat.startsAt === undefined || now < seat.startsAt) {
        this.#planOnce(`state:${contestId}`, seat.entryId === undefined ? now : now + COMMIT_POLL_MS)
      }
    }
  }

  /** Plans it unless it is planned, or being read just now. */
  #planOnce(purpose: string, at: number): void {
    if (!this.#bot.agenda.has(purpose) && !this.#reads.isUnderWay(purpose)) this.#bot.agenda.set(purpose, at)
  }

  #readySeat({ contestId, ready, readiedBy }: Seat): void {
    const { agenda, books } = this.#bot
    const action = { type: 'ready', contestId, ready: true } as const
    if (ready !== false || readiedBy !== 'framework' || books.runMode !== 'running') return
    if (agenda.has(`ready:${contestId}`) || this.#intents.isUnderWay(action)) return
    this.#intents.submit(action, 'framework')
  }

  #reveal(contestId: string): void {
    const action = { type: 'revealPrediction', contestId } as const
    const { seats, custody } = this.#bot.books
    if (!seats.has(contestId) || custody.get(contestId)?.status !== 'committed' || this.#intents.isUnderWay(action)) return
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

  #withdraw(purpose: string, action: Action): void {
    const { agenda, now } = this.#bot
    if (agenda.has(purpose) || this.#intents.isUnderWay(action)) return
    agenda.set(purpose, now + 2 * RETRY_MS)
    this.#intents.submit(action, 'framework')
  }
}
