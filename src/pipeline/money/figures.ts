import { USDC_MINT } from '../../core/tokens.ts'
import { GuardLedger, Reservations } from '../../guard/index.ts'
import type { Fill } from '../../strategy/view.ts'
import type { Pen } from '../books/ownedBooks.ts'
import type { InputOf } from '../protocol/input.ts'
import type { AnsweredRead, Reads } from '../reads.ts'
import { Lifecycle } from '../state/lifecycle.ts'
import type { Present } from '../state/present.ts'
import { UnseenCash } from '../swaps/unseenCash.ts'
import { type FigureEffect, type FigureHappening, type FigureName, type FigureState, figureMachine } from './figureMachine.ts'
import { type Bankroll, bankrollTold, type FigureBooks, foldFigures } from './foldFigures.ts'

/** The figures of money are read so often while they hold. */
const MONEY_READS = 6
/** Where they hold for long, what the day has lost ends with it. A service that counts the last 24 hours says another end at every read. */
const LEAST_MONEY_MS = 10_000
const FIGURES = ['limits', 'bankroll'] as const
const isFigure = (purpose: string): purpose is FigureName => purpose === 'limits' || purpose === 'bankroll'

/** The money of the bot as the service says it, and what has moved since: what is free is never counted twice, nor too high. */
export class Figures {
  /** What the guard holds for actions without an outcome. It takes it, and it is told here alone what becomes of it. */
  readonly reservations = new Reservations()
  /** Money that the bot staked and expects to have. Written with each entry, outcome, event, swap and reading. */
  readonly ledger = new GuardLedger()
  /** What swaps have moved and no bankroll shows yet. */
  readonly unseenCash = new UnseenCash()
  readonly #present: Present
  readonly #reads: Reads
  readonly #write: Pen<keyof FigureBooks>
  readonly #lifecycle: Lifecycle<FigureState, FigureHappening, FigureEffect, unknown>
  /** The number of the input that led to the newest read of each that was answered. */
  readonly #askedIn = { limits: Number.NEGATIVE_INFINITY, bankroll: Number.NEGATIVE_INFINITY }
  /** When money last moved, or may have, in Unix milliseconds. */
  #movedAt = 0
  /** Since the step began: an entry was taken, or one was taken back; a swap was executed that the known bankroll does not have. */
  #hasMoved = false
  #hasUnreadFill = false

  constructor(present: Present, reads: Reads) {
    this.#present = present
    this.#reads = reads
    this.#write = present.owned.penFor('limits', 'bankroll', 'wallet', 'gasLamports')
    this.#lifecycle = new Lifecycle(figureMachine, {
      present,
      seen: undefined,
      perform: (effect, { figure }) => this.#perform(effect, figure),
    })
    for (const figure of FIGURES) this.#lifecycle.begin(figure, { is: 'unread', figure, againAt: undefined })
  }

  /** Has both read as they are now. */
  refresh(): void {
    for (const figure of FIGURES) this.#lifecycle.tell(figure, { type: 'wanted' })
  }

  /** Has the bankroll read, unless it is being read. */
  wantBankroll(): void {
    if (!this.#reads.isUnderWay('bankroll')) this.#lifecycle.tell('bankroll', { type: 'wanted' })
  }

  onDue(purpose: FigureName): void {
    this.#lifecycle.tell(purpose, { type: 'due' })
  }

  /** Something that moves money has happened. While the stream is behind, all that has is read of once at its end. */
  onMoved(): void {
    this.#movedAt = this.#present.now
    if (this.#present.books.caughtUp) this.refresh()
    else for (const figure of FIGURES) this.#lifecycle.tell(figure, { type: 'moved' })
  }

  onCaughtUp(): void {
    for (const figure of FIGURES) this.#lifecycle.tell(figure, { type: 'caughtUp' })
  }

  /** An action of an earlier run is without an outcome. */
  held(reservation: Parameters<Reservations['reserve']>[0]): void {
    this.reservations.reserve(reservation)
  }

  /** An action took effect: its stake is in the books, and perhaps not in the figures yet. */
  placed(key: string): void {
    this.reservations.place(key, this.#present.n)
  }

  /** Its stake moves money: the figures are read anew once the input is taken in. */
  stakeMoved(): void {
    this.#hasMoved = true
  }

  released(key: string): void {
    this.reservations.release(key)
  }

  /** @param bankroll what the swap left, where that came with it */
  filled(key: string, fill: Fill, bankroll: Bankroll | undefined): void {
    const { n } = this.#present
    const { from, to, given, received } = fill
    this.ledger.swapped({ paid: from === USDC_MINT ? given : 0n, received: to === USDC_MINT ? received : 0n })
    if (bankroll === undefined) {
      this.placed(key)
      this.unseenCash.moved(fill, n)
      this.#hasUnreadFill = true
    } else {
      this.released(key)
      this.told(bankroll)
    }
  }

  /** A fee was paid, and nothing swapped. */
  feePaid(): void {
    this.#movedAt = this.#present.now
  }

  /** The wallet as it is now, known without asking. */
  told(bankroll: Bankroll): void {
    const { books, n, now } = this.#present
    this.unseenCash.seen(n)
    this.#put(bankrollTold(books, bankroll, { askedIn: n, begunAt: now, now }))
  }

  /** Before anything is made of the figures that are known. */
  tend(): void {
    if (this.#hasMoved) this.onMoved()
    this.#hasMoved = false
  }

  /** What is free is another figure after a swap, and no limit is, since these are of stakes. */
  close(): void {
    if (this.#present.step.hasFills) {
      this.#movedAt = this.#present.now
      if (this.#hasUnreadFill) this.#lifecycle.tell('bankroll', { type: 'wanted' })
    }
    this.#hasUnreadFill = false
    this.#hasMoved = false
  }

  /** Takes a figure in, whatever it was read for. */
  onAnswer({ request: { procedure, purpose }, result, begunAt }: InputOf<'answer'>, { askedIn, againAt }: AnsweredRead): void {
    const { books, now } = this.#present
    if (result.ok) this.#put(foldFigures(books, { procedure, output: result.output, askedIn, begunAt, now }))
    // A replay may have an answer that this version has not asked for.
    if (!isFigure(purpose) || askedIn === undefined) return
    if (!result.ok) this.#lifecycle.tell(purpose, { type: 'unread', againAt: againAt ?? now })
    else {
      const next = { askedIn, againAt: againAt ?? this.#nextOf(purpose), isWanted: againAt !== undefined }
      this.#lifecycle.tell(purpose, { type: 'answered', ...next })
    }
  }

  /** The figures are being read since money moved: a run that ended now would report what was before. */
  get isReading(): boolean {
    return this.#reads.isUnderWay('bankroll') || this.#present.deadlines.isDue('bankroll', this.#present.now)
  }

  /** Whether a figure that was asked for then is from before the last move of money. */
  isOld(begunAt: number): boolean {
    return begunAt < this.#movedAt
  }

  #put(change: Partial<FigureBooks>): void {
    this.#write(change)
    const { bankroll } = change
    if (bankroll === undefined) return
    const { value, begunAt } = bankroll
    this.ledger.bankrollRead({ available: value.available, begunAt, swapsInFlight: this.reservations.pendingSwapSpend })
  }

  #perform(effect: FigureEffect, figure: FigureName): void {
    if (effect.type === 'read') {
      const againAt = figure === 'limits' ? this.#reads.ask(figure, 'agent.limits', null) : this.#reads.ask(figure, 'agent.bankroll', null)
      if (againAt !== undefined) this.#lifecycle.tell(figure, { type: 'unread', againAt })
      return
    }
    const { askedIn } = effect
    this.#askedIn[figure] = askedIn
    if (figure === 'bankroll') {
      this.reservations.seenSwaps(askedIn)
      this.unseenCash.seen(askedIn)
    }
    this.reservations.seen(Math.min(this.#askedIn.limits, this.#askedIn.bankroll))
  }

  /** Never, where they hold for ever: what moves them has them read. */
  #nextOf(figure: FigureName): number {
    const { books, options, now } = this.#present
    const { resetsAt } = books.limits?.value ?? {}
    const dayMs = figure === 'bankroll' || resetsAt === undefined ? Number.POSITIVE_INFINITY : Math.max(resetsAt - now, LEAST_MONEY_MS)
    return now + Math.min(options.figuresHoldMs / MONEY_READS, dayMs)
  }
}
