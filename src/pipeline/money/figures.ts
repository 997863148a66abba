import { isEntry, Reservations } from '../../guard/index.ts'
import type { Pen } from '../books/ownedBooks.ts'
import type { FactOf } from '../protocol/facts.ts'
import type { Reads } from '../reads.ts'
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
  /** What swaps have moved and no bankroll shows yet. */
  readonly unseenCash = new UnseenCash()
  readonly #present: Present
  readonly #reads: Pick<Reads, 'ask' | 'isUnderWay'>
  readonly #write: Pen<keyof FigureBooks>
  readonly #lifecycle: Lifecycle<FigureState, FigureHappening, FigureEffect, unknown>
  /** The number of the input that led to the newest read of each that was answered. */
  readonly #askedIn = { limits: Number.NEGATIVE_INFINITY, bankroll: Number.NEGATIVE_INFINITY }
  /** When money last moved, or may have, in Unix milliseconds. */
  #movedAt = 0
  /** Since the step began: an entry was taken, or one was taken back; a swap was executed that the known bankroll does not have. */
  #hasMoved = false
  #hasUnreadFill = false

  constructor(present: Present, reads: Pick<Reads, 'ask' | 'isUnderWay'>) {
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
  onHeld({ reservation }: FactOf<'held'>): void {
    this.reservations.reserve(reservation)
  }

  onSwapRefused({ key }: FactOf<'swapRefused'>): void {
    this.reservations.release(key)
  }

  /** An action took effect: its stake is in the books, and perhaps not in the figures yet, which are read anew once the input is taken in. */
  onTaken({ intent: { action, key } }: FactOf<'actionTaken'>): void {
    if (isEntry(action) || action.type === 'cancelTicket' || action.type === 'leaveContest') this.#hasMoved = true
    this.reservations.place(key, this.#present.n)
  }

  onFailed({ action, key, status }: FactOf<'actionFailed'>): void {
    this.reservations.release(key)
    if (isEntry(action) && status !== 'notSent') this.#hasMoved = true
  }

  onSwapFilled({ key, fill, bankroll }: FactOf<'swapFilled'>): void {
    const { n } = this.#present
    if (bankroll === undefined) {
      this.reservations.place(key, n)
      this.unseenCash.moved(fill, n)
      this.#hasUnreadFill = true
    } else {
      this.reservations.release(key)
      this.#told(bankroll)
    }
  }

  /** One that has landed and failed has paid its fee, and swapped nothing. */
  onSwapFailed({ key, status, bankroll }: FactOf<'swapFailed'>): void {
    if (status === 'reverted') this.#movedAt = this.#present.now
    this.reservations.release(key)
    if (bankroll !== undefined) this.#told(bankroll)
  }

  /** The wallet as it is now, known without asking. */
  #told(bankroll: Bankroll): void {
    const { books, n, now } = this.#present
    this.unseenCash.seen(n)
    this.#put(bankrollTold(books, bankroll, { askedIn: n, begunAt: now, now }))
  }

  /** Before anything is made of the figures that are known. */
  onInputTaken(): void {
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
  onAnswer({ answer: { request, result, begunAt }, askedIn, againAt }: FactOf<'answered'>): void {
    const { procedure, purpose } = request
    const { books, now } = this.#present
    const wasKnown = areKnown(books)
    if (result.ok) this.#put(foldFigures(books, { procedure, output: result.output, askedIn, begunAt, now }))
    if (!wasKnown && areKnown(this.#present.books)) this.#present.tell({ type: 'decisionWanted', isSoon: false })
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
    this.#present.tell({ type: 'bankrollRead', available: value.available, begunAt, swapsInFlight: this.reservations.pendingSwapSpend })
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

const areKnown = ({ limits, bankroll }: FigureBooks): boolean => limits !== undefined && bankroll !== undefined
