import { Subject } from 'rxjs'
import type { ReadEvent, ServiceEvent } from '../contract/events.ts'
import type { ProcedureInput } from '../contract/procedures.ts'
import { isLostRace, isUnknown, meaningOf } from '../contract/refusals.ts'
import type { ServiceRefusal } from '../contract/wire.ts'
import { CornermanError, unreachable } from '../core/error.ts'
import { symbolOf } from '../core/tokens.ts'
import { formatUsdc, type Usdc } from '../core/usdc.ts'
import { type Entry, isEntry } from '../guard/index.ts'
import type { Action, ServiceAction } from '../strategy/action.ts'
import type { Strategy } from '../strategy/define.ts'
import type { Fill } from '../strategy/view.ts'
import { Foreign } from './actions/foreign.ts'
import { Intents } from './actions/intents.ts'
import { KnownSignatures } from './answers/knownSignatures.ts'
import { Strays } from './answers/strays.ts'
import { Attribution } from './books/attribution.ts'
import type { Books, Seat } from './books/books.ts'
import { meetingsOf, siblingEntriesOf } from './books/siblingEntries.ts'
import { joinableOf, statsOf } from './books/views.ts'
import type { Heard, Turn } from './flow/proposal.ts'
import { type GuardSight, type GuardSources, guardViewOf } from './guardView.ts'
import { Figures } from './money/figures.ts'
import { Results } from './money/results.ts'
import { Orders } from './orders.ts'
import { DriftWatch } from './playable/driftWatch.ts'
import { wordsOf } from './playable/hindrance.ts'
import { UNPLAYED_LIMITS } from './playable/modeRecord.ts'
import { type ModeStatus, modeStatusesOf } from './playable/modeStatus.ts'
import { Modes } from './playable/modes.ts'
import { outOf } from './playable/outOf.ts'
import { PathWatch } from './playable/pathWatch.ts'
import { Plays } from './playable/plays.ts'
import { sayUnreadable } from './playable/sayUnreadable.ts'
import type { SwapPath } from './playable/swapPath.ts'
import { Trials } from './playable/trials.ts'
import { NewestPrices } from './prices/newestPrices.ts'
import type { ActionCounts, Input, InputBody, InputOf, OperatorCommand } from './protocol/input.ts'
import type { Outcome } from './protocol/outcome.ts'
import type { PastFacts } from './protocol/pastFacts.ts'
import type { Step } from './protocol/step.ts'
import { ownerOf, parseTaskKey, type TaskKey, type TaskKeyOf, type TaskOwner } from './protocol/taskKey.ts'
import { Reads } from './reads.ts'
import { Refusals } from './refusals.ts'
import type { ContestEnd } from './seat/custodyMachine.ts'
import { FinalReads } from './seat/finalReads.ts'
import { Overdue } from './seat/overdue.ts'
import { Rejoins } from './seat/rejoins.ts'
import { Reveals } from './seat/reveals.ts'
import { isRecorded, Seats } from './seat/seats.ts'
import { CatchUp } from './state/catchUp.ts'
import { type BotOptions, Present } from './state/present.ts'
import { Session } from './state/session.ts'
import type { Suspension } from './strategies/containment.ts'
import { ownStrategies } from './strategies/ownStrategies.ts'
import { Strategies } from './strategies/strategies.ts'
import { type Equity, equityOf } from './swaps/equity.ts'
import type { Portfolio } from './swaps/portfolio.ts'
import { Portfolios } from './swaps/portfolios.ts'
import { Swaps } from './swaps/swaps.ts'
import { Sweeps, type Unsold, unsoldProfitOf } from './swaps/sweeps.ts'
import { emptyTally } from './tally.ts'
import { ToldTokens } from './toldTokens.ts'

/** A contest that was settled, as it stood before. */
interface SettledContest {
  readonly data: SettledData
  /** Unix milliseconds. */
  readonly at: number
  readonly seat: Seat | undefined
  readonly hasSwapped: boolean
}

type SettledData = Extract<ServiceEvent, { type: 'contest.settled' }>['data']

/** Kinds of events, codes of refusals and words that are not known: of more nothing is said. */
const MOST_UNKNOWN = 100

/** Who asks for what the framework does of its own accord. */
const FRAMEWORK = 'framework'

/** An answer to the first reads is there by then, as a rule. */
const UNANSWERED_MS = 1000

/** What each command of the operator stops until the next one, and the line of the log. */
const EFFECT_OF_COMMAND = {
  stopEntries: { stopped: 'entries', says: 'entries are stopped: what is open is played to its end' },
  stopAll: { stopped: 'all', says: 'kill switch: no entries and no swaps; tickets and open seats are taken back, reveals go on' },
  resume: { stopped: 'nothing', says: 'resumed' },
} as const

/**
 * Inputs that touch no seat, no ticket and no other action than swaps, unless a strategy makes one of them: where nothing is due either,
 * nobody has to look after those.
 */
const OF_SWAPS: ReadonlySet<Input['type']> = new Set(['prices', 'quoted', 'built', 'landing'])

/** What a bot has done and holds, for reports and screens. */
export interface BotStatus {
  readonly books: Books
  /** What the swaps of contests that are not closed have made. */
  readonly portfolios: ReadonlyMap<string, Portfolio>
  /** What the swaps of closed contests have made or lost, in micro-USDC. */
  readonly swapProfit: Usdc
  /** What contests that are over have left, by now in vain: it is not sold yet, and nobody trades it any more. */
  readonly unsold: readonly Unsold[]
  /** What the swaps of contests that are over and not closed have made, at the newest prices; a token without one counts as nothing. */
  readonly unsoldProfit: Usdc
  /** What the bot is worth at the newest prices. */
  readonly equity: Equity
  /** The strategy that entered a contest; undefined where none did, and of one that was settled more than two days ago. */
  strategyOf(contestId: string): string | undefined
  readonly actions: ActionCounts & { readonly unknown: number }
  readonly reveals: { readonly due: number; readonly done: number }
  /** Answers of this run that were about something else than what was asked for, and were dropped. */
  readonly strayAnswers: number
  /** Happenings of this run that could not have been: each was noted and ignored. */
  readonly lifecycleBreaks: number
  /** Predictions whose reveal came to nothing so far: each may still be made in its time. */
  readonly overdueReveals: readonly { readonly contestId: string; readonly reason: string }[]
  readonly suspended: readonly Suspension[]
  /** What the day has cost and may still cost, as the guard's daily loss counts it; undefined where something is not known. */
  today(): { readonly lost: Usdc; readonly inPlay: Usdc; readonly reserved: Usdc } | undefined
  /** What is known of the playing of modes; undefined in worlds in which none is ever closed. */
  readonly modes: readonly ModeStatus[] | undefined
  /** Whether swaps come through; undefined in worlds in which they always do. */
  readonly path: SwapPath | undefined
  /** What the guard holds for actions without an outcome: how many, their stakes, and the most they can lose. */
  readonly reserved: { readonly actions: number; readonly stake: Usdc; readonly risk: Usdc }
}

/**
 * All that a bot knows, plans and has under way. Of each input it is told in three parts, between which strategies speak
 * (`flow/decided.ts`): `take`, `tend`, `close`. It has no clock, no I/O and no randomness of its own.
 */
export class BotState {
  readonly #present: Present
  readonly #newest = new NewestPrices()
  readonly #tokens = new ToldTokens()
  readonly #tally = emptyTally()
  readonly #plays = new Plays()
  readonly #portfolios = new Portfolios()
  readonly #attribution = new Attribution()
  readonly #modes: Modes
  readonly #session: Session
  readonly #results: Results
  readonly #guarded: GuardSources
  /** The strategies of the config; in place of those that are isolated, who speaks for them. */
  readonly #own: readonly Strategy[]
  readonly #intents: Intents
  readonly #strays: Strays
  readonly #reads: Reads
  readonly #figures: Figures
  readonly #catchUp: CatchUp
  readonly #seats: Seats
  readonly #reveals: Reveals
  readonly #finalReads: FinalReads
  readonly #rejoins: Rejoins
  readonly #overdue: Overdue
  readonly #swaps: Swaps
  readonly #sweeps: Sweeps
  readonly #orders: Orders
  readonly #path: PathWatch
  readonly #trials: Trials
  readonly #drift: DriftWatch
  readonly #foreign: Foreign
  readonly strategies: Strategies
  /** What strategies hear of at once, while an input is being taken in. */
  readonly heard$ = new Subject<Heard>()
  /** The time at which the bot wants to be woken, in Unix milliseconds, whenever a price of which nothing else came has made it another one. */
  readonly wakeAt$ = new Subject<number | undefined>()
  /** Who is told of what is due. */
  readonly #owners: Readonly<Record<Exclude<TaskOwner, 'anybody'>, { onDue(purpose: TaskKey): void }>>
  #announced: ReadonlyMap<string, unknown> = new Map()
  /** What the announced entries were made of. */
  #announcedOf: { readonly seats: unknown; readonly tickets: unknown; readonly intents: number; readonly drift: number } | undefined
  /** Contests in which a bot of the same config was met, and reported. */
  readonly #met = new Set<string>()
  /** Contests that were settled, and of whose moves it is not known yet what became of them. */
  readonly #settled = new Map<string, SettledContest>()
  /** What earlier runs swapped and is not in the portfolios yet, oldest first. */
  #pastFills: readonly Fill[] = []
  #nextFill = 0
  /** When the journal was made: events of before go into the books, and are no news. */
  #madeAt = Number.NEGATIVE_INFINITY
  #historyEvents = 0
  /** What the service's answers lack, so that each piece is reported once. */
  readonly #missing = new Set<string>()
  /** Kinds of events that are not known, so that each is reported once. */
  readonly #unknownTypes = new Set<string>()
  /** The same of codes of refusals. */
  readonly #unknownCodes = new Set<string>()

  /** The books before the input that is being processed, and what is due with it. */
  #before: Books
  #due: readonly TaskKey[] = []
  #isOfSwaps = false
  #wakeAt: number | undefined

  /** @param onLate told of what a strategy emits between inputs; it enters as an input of its own */
  constructor(options: BotOptions, onLate: (late: Extract<InputBody, { type: 'late' }>) => void) {
    const present = new Present(options)
    this.#present = present
    this.#before = present.books
    this.#modes = new Modes(options.config.guard.unplayed ?? UNPLAYED_LIMITS)
    this.#session = new Session(present.owned)
    this.#results = new Results(present.owned, this.#portfolios)
    this.#own = ownStrategies(present, this.#newest)
    const [tally, modes, plays, portfolios] = [this.#tally, this.#modes, this.#plays, this.#portfolios]
    const [results, tokens, attribution, newest] = [this.#results, this.#tokens, this.#attribution, this.#newest]
    const [refusals, signatures] = [new Refusals(tally), new KnownSignatures()]
    this.#strays = new Strays(present, { signatures, isNamed: (id) => this.#intents.names(id) })
    const reads = new Reads(present, this.#strays)
    this.#reads = reads
    const figures = new Figures(present, reads)
    this.#figures = figures
    const { reservations } = figures
    this.#guarded = { present, reservations, results, portfolios, attribution, modes, prices: newest, tokens }
    const sight: GuardSight = (by, swaps) => guardViewOf(this.#guarded, by, swaps)
    const onMoved = (contestId: string) => this.#onMoved(contestId)
    const seats = new Seats(present, {
      ...{ reads, reservations },
      isStreamRead: () => this.#catchUp.isStreamRead,
      isUnderWay: (action) => this.#intents.isUnderWay(action),
      propose: (action) => this.#intents.submit(action, FRAMEWORK),
    })
    this.#seats = seats
    const intents = new Intents(present, {
      ...{ strays: this.#strays, reads, figures, seats, attribution, plays, tally, refusals, sight, onMoved },
      onConcluded: (action, outcome) => this.#onConcluded(action, outcome),
    })
    this.#intents = intents
    this.#foreign = new Foreign(present, intents)
    this.#catchUp = new CatchUp(present, { reads, session: this.#session, onCaughtUp: () => figures.onCaughtUp() })
    this.#reveals = new Reveals(present, { intents, reservations })
    this.#finalReads = new FinalReads(present, reads)
    this.#rejoins = new Rejoins(present, { seats, underWaySince: (action) => intents.underWaySince(action) })
    this.#overdue = new Overdue({
      ...{ present, reads, seats, results },
      onContestEnded: (contestId, how) => {
        seats.end(contestId)
        this.#onContestEnded(contestId, how, present.now)
        this.#onMoneyFree()
      },
      onTicketEnded: () => this.#onMoneyFree(),
    })
    const strategies = this.#own
    const path = new PathWatch(present, { modes, portfolios, strategies, onChange: () => this.strategies.policies.wantDecision() })
    this.#path = path
    this.#trials = new Trials({ present, modes, intents, reads })
    this.#drift = new DriftWatch(present, { modes, lookAgain: (purpose, at) => this.#lookAgain(purpose, at) })
    modes.path = () => path.path
    modes.swapBudget = () => path.budget
    modes.out = (mode) => outOf(present.books, intents.entering, mode)
    const swaps = new Swaps(present, {
      ...{ reads, money: figures, path, portfolios, results, signatures, plays, tally, refusals, tokens, sight, onMoved },
      onOutcome: (by, contestId, outcome) => {
        if (by === FRAMEWORK) this.#sweeps.onSwapOutcome(outcome)
        else this.strategies.traders.onSwapOutcome(by, contestId, outcome)
      },
    })
    this.#swaps = swaps
    this.#sweeps = new Sweeps(present, { swaps, path, portfolios })
    this.#orders = new Orders(present, { intents, swaps })
    this.strategies = new Strategies({
      ...{ present, strategies, newest, modes, plays, portfolios, figures, intents, swaps, reads, path },
      onLate: (callId, result) => onLate({ type: 'late', callId, result }),
      hear: (heard) => this.heard$.next(heard),
    })
    this.#owners = {
      catchUp: this.#catchUp,
      seats: this.#seats,
      reveals: { onDue: (purpose) => this.#reveals.onDue(parseTaskKey(purpose).subjectId) },
      figures: this.#figures,
      finalReads: this.#finalReads,
      overdue: this.#overdue,
      intents: this.#intents,
      swaps: this.#swaps,
      strategies: this.strategies,
      path: this.#path,
      trials: this.#trials,
    }
  }

  get status(): BotStatus {
    const present = this.#present
    const sweeps = this.#sweeps
    const { books } = present
    const [counts, portfolios, attribution, modes] = [this.#tally, this.#portfolios, this.#attribution, this.#modes]
    const { reservations, unseenCash } = this.#figures
    const sources = { present, portfolios, prices: this.#newest, unseenCash }
    return {
      books,
      portfolios: portfolios.open,
      swapProfit: portfolios.closedCash,
      get unsold() {
        return sweeps.unsold
      },
      get unsoldProfit() {
        return unsoldProfitOf(sources)
      },
      get equity() {
        return equityOf(sources)
      },
      strategyOf: (contestId) => attribution.of(contestId),
      actions: { ...counts, unknown: this.#intents.unknown + this.#swaps.unknown },
      reveals: { due: counts.revealed + counts.missed + this.#revealsDue(), done: counts.revealed },
      strayAnswers: this.#strays.count,
      lifecycleBreaks: present.lifecycleBreaks,
      overdueReveals: this.#intents.predictions.troubled,
      suspended: this.strategies.calls.suspended,
      path: this.#path.path,
      // Worked out where it is asked for: the rest of a status is looked at with every step.
      get modes() {
        return modeStatusesOf(modes, present)
      },
      today: () => this.#today(),
      reserved: { actions: reservations.pendingCount, stake: reservations.pendingStake, risk: reservations.pendingRisk },
    }
  }

  #today(): ReturnType<BotStatus['today']> {
    const { lostToday, swapLoss, inPlay, reservations } = guardViewOf(this.#guarded, FRAMEWORK)
    if (inPlay === undefined || swapLoss === undefined) return undefined
    return { lost: lostToday + swapLoss, inPlay, reserved: reservations.pendingRisk }
  }

  /**
   * Takes an input in; strategies hear of it at once.
   *
   * @returns whether anything is to be made of it: nothing is of nearly every price
   */
  take(input: Input): boolean {
    if (input.type === 'prices') return this.#takePrices(input, input.n, input.at)
    this.#begin(input, input.n, input.at)
    this.#take(input)
    this.#due = this.#present.deadlines.takeDue(input.at)
    return true
  }

  /**
   * New prices, by far the commonest input.
   *
   * @param n of the input, like its time: read where its kind is known, which is quicker at every price
   */
  #takePrices(input: InputOf<'prices'>, n: number, at: number): boolean {
    const present = this.#present
    this.#begin(input, n, at)
    this.#newest.take(input.tick, at)
    this.strategies.onPrices()
    this.#due = present.deadlines.takeDue(at)
    // Whatever time alone brings about is among the deadlines: a price that nobody acts on needs no more than this.
    return this.#due.length > 0 || !present.step.isQuiet || present.books !== this.#before || this.strategies.isWaiting
  }

  #begin(input: Input, n: number, at: number): void {
    const present = this.#present
    present.step = present.step.next(input, n, at)
    if (this.#pastFills.length > 0) this.#foldPastFills(input)
    this.#before = present.books
  }

  /**
   * What the framework does of its own accord with an input that was taken in, before strategies have their turn.
   *
   * @returns undefined where none of them has anything to say
   */
  tend(): Turn | undefined {
    const present = this.#present
    const due = this.#due
    // Before anything is made of the figures that are known.
    this.#figures.tend()
    for (const purpose of due) {
      const owner = ownerOf(purpose)
      if (owner !== 'anybody') this.#owners[owner].onDue(purpose)
    }
    const isOfSwaps = due.length === 0 && OF_SWAPS.has(present.step.input.type) && this.#isAnnounced()
    if (!isOfSwaps) {
      this.#rejoins.tend()
      this.#tendSeats()
      this.#overdue.tend()
    }
    // Before whoever enters has its turn: this may close a mode.
    if (this.#settled.size > 0) this.#tellUnplayed()
    this.#path.tend()
    this.#trials.tend()
    this.#sweeps.tend()
    this.#isOfSwaps = isOfSwaps
    // By far most inputs of a trader's bot: nobody has to be asked whether there is anything to say.
    return isOfSwaps && present.step.input.type !== 'prices' && !this.strategies.haveTurn ? undefined : { isOfSwaps }
  }

  /** Looks after every seat and ticket as the books now have them. */
  #tendSeats(): void {
    const present = this.#present
    const { seats, runMode, stopped } = present.books
    for (const seat of seats.values()) {
      this.#reveals.tend(seat)
      this.#seats.tend(seat.contestId)
    }
    this.#reveals.closeCustody({ seatsRead: this.#catchUp.areSeatsRead })
    // What was open in the middle of a journal that is being read back is long over.
    if ((runMode === 'draining' || stopped === 'all') && !isRecorded(present)) this.#seats.windUp()
  }

  /** A read is made once more, no later than `at`. */
  #lookAgain(purpose: TaskKey, at: number): void {
    if (ownerOf(purpose) === 'seats') this.#seats.lookAgain(purpose as TaskKeyOf<'seats'>, at)
    else this.#present.deadlines.soon(purpose, at)
  }

  /** All that has come of the input, once strategies have spoken. */
  close(): Step {
    const present = this.#present
    const before = this.#before
    this.#swaps.tend()
    this.strategies.traders.planTelling()
    this.#figures.close()
    if (present.books.seats !== before.seats) this.heard$.next({ type: 'contests' })
    if (present.books.seats !== before.seats || present.books.siblings !== before.siblings) this.#reportMeetings()
    if (present.books !== before && !this.#isOfSwaps) this.#foreign.report()
    this.#announce()
    this.#wakeAt = present.deadlines.next()
    return present.step.finish({ wakeAt: this.#wakeAt, drained: this.#isDrained() })
  }

  /** Nothing has come of a price. */
  closeQuietly(): void {
    const wakeAt = this.#present.deadlines.next()
    if (wakeAt === this.#wakeAt) return
    this.#wakeAt = wakeAt
    this.wakeAt$.next(wakeAt)
  }

  /** An input of which nobody makes anything: of a bot that does not play. */
  fold(input: Input): void {
    this.take(input)
    this.tend()
    this.close()
  }

  stop(): void {
    this.strategies.stop()
  }

  #take(input: Exclude<Input, { type: 'prices' }>): void {
    const present = this.#present
    switch (input.type) {
      case 'started':
        if (input.facts !== undefined) this.#restore(input.facts)
        for (const fault of input.faults ?? []) present.step.note('error', fault)
        this.#seats.recover(input.left ?? [])
        this.#pastFills = input.fills
        this.#madeAt = input.madeAt ?? Number.NEGATIVE_INFINITY
        this.#intents.recover(input)
        this.#swaps.recover(input)
        this.#seats.start(input)
        this.#figures.refresh()
        this.#catchUp.start(input)
        this.#foreign.start(input)
        this.#modes.begin(input.modes, input.reading, present.step)
        sayUnreadable(present, { modes: this.#modes, strategies: this.#own })
        this.#path.start(input)
        this.#plays.begin(input.at, [...(input.picked ?? []), ...(input.revealed ?? [])])
        return
      case 'event':
        this.#takeEvent(input)
        return
      case 'caughtUp':
        this.#catchUp.onStream(true)
        this.#sayHistory()
        return
      case 'behind':
        this.#catchUp.onStream(false)
        present.step.note('warn', `the event stream cannot be read: ${input.reason}`)
        return
      case 'restored':
        this.#takeRestored(input.reason)
        return
      case 'answer':
        this.#takeAnswer(input)
        return
      case 'timer':
        return
      case 'outcome':
        this.#takeOutcome(input)
        return
      case 'quoted':
        this.#swaps.onQuoted(input)
        return
      case 'built':
        this.#swaps.onBuilt(input)
        return
      case 'landing':
        this.#swaps.onLanding(input)
        return
      case 'late':
        this.heard$.next({ type: 'late', late: input })
        return
      case 'operator':
        this.#obey(input.command)
        return
      case 'ordered':
        this.#orders.take(input.order)
        return
      case 'mode':
        this.#modes.happened(input.mode, { type: 'said', command: input.command, saidAt: input.saidAt }, present.step)
        this.strategies.policies.wantDecision()
        return
      case 'pathChecked':
        this.#path.onChecked(input)
        return
      case 'tokens':
        this.#tokens.take(input, present.step)
        return
      case 'siblingEntered':
        this.#session.siblingEntered(input.entry)
        this.#drift.onSibling(input.entry)
        return
      case 'siblingLeft': {
        const left = this.#session.siblingLeft(input)
        if (left !== undefined) this.#drift.onSiblingLeft(left)
        return
      }
      default:
        unreachable(input)
    }
  }

  /** What is folded of earlier runs: the events that the journal still gives back come after it. */
  #restore(facts: PastFacts): void {
    this.#results.restore(facts)
    this.#seats.recover(facts.ended)
    this.#portfolios.restore(facts.portfolios)
    this.#attribution.restore(facts.realised)
  }

  /** What was heard of is counted, and is not heard of again; what is open may be open no more. */
  #takeRestored(reason: string): void {
    const { code, message } = new CornermanError(
      'SERVICE_RESTORED',
      `the service has gone back to an older state: ${reason}. What was read of it stays counted, and all that is open is looked up: compare its money with this bot's`,
    )
    this.#present.step.note('error', message, { code })
    this.#figures.refresh()
    this.#catchUp.onRestored()
    this.#overdue.onRestored()
  }

  /** A service tells of more than this bot knows of: once a kind. */
  #sayUnreadable({ reason, message }: Extract<ReadEvent, { ok: false }>, raw: unknown): void {
    const { step } = this.#present
    if (reason !== 'unknown-type') {
      step.note('error', `an event could not be read and was set aside: ${message}`, { reason, event: raw })
      return
    }
    if (this.#unknownTypes.has(message) || this.#unknownTypes.size === MOST_UNKNOWN) return
    this.#unknownTypes.add(message)
    step.note('info', `${message}: it is set aside, and so is every other one of it`, { reason, event: raw })
  }

  /** What a refusal means for the bot, it can only be told: once a code. */
  #noteRefusal(refusal: ServiceRefusal): void {
    const { code, message } = refusal
    if (!isUnknown(refusal) || this.#unknownCodes.has(code) || this.#unknownCodes.size === MOST_UNKNOWN) return
    this.#unknownCodes.add(code)
    const told = new CornermanError(
      'REFUSAL_UNKNOWN',
      `the service refuses with ${code} (${message}), and nobody has said what that means: it counts as a refusal and no more. Add it to words.refusal of the service's shapes`,
    )
    this.#present.step.note('warn', told.message, { code: told.code, refusal: code })
  }

  #sayContradiction({ data }: ServiceEvent, contradiction: string): void {
    const { code, message } = new CornermanError('SETTLEMENT_CONTRADICTED', `the service contradicts itself: ${contradiction}`)
    this.#present.step.note('error', message, { code, ...('contestId' in data ? { contestId: data.contestId } : {}) })
  }

  #sayHistory(): void {
    const events = this.#historyEvents
    if (events === 0) return
    this.#historyEvents = 0
    const { settled } = statsOf(this.#present.books)
    this.#present.step.note('info', `${events} events of before this journal were read; ${settled} contests are settled by now`, {
      events,
      settled,
    })
  }

  /** What earlier runs swapped, among the events as it came: in any other order the profit would have had another peak. */
  #foldPastFills(input: Input): void {
    const { ended } = this.#present
    const portfolios = this.#portfolios
    const isPast = input.type === 'event' && input.recorded
    const until = isPast && input.read.ok ? input.read.event.createdAt : isPast ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY
    for (let fill = this.#pastFills[this.#nextFill]; fill !== undefined && fill.at <= until; fill = this.#pastFills[++this.#nextFill]) {
      portfolios.fold(fill)
      if (ended.has(fill.contestId)) portfolios.close(fill.contestId, fill.at)
      this.#results.notePeak()
    }
    if (this.#nextFill === this.#pastFills.length) this.#pastFills = []
  }

  #obey(command: OperatorCommand): void {
    const present = this.#present
    if (command === 'drain') {
      this.#session.drain()
      present.step.note('info', 'draining: no new entries; tickets are cancelled, live contests and reveals finished')
      return
    }
    const { stopped, says } = EFFECT_OF_COMMAND[command]
    if (present.books.stopped === stopped) return
    this.#session.stop(stopped)
    present.step.note(stopped === 'nothing' ? 'info' : 'warn', says)
    if (stopped === 'nothing') this.strategies.policies.wantDecision()
  }

  #takeEvent({ read, raw, recorded }: InputOf<'event'>): void {
    const present = this.#present
    if (!read.ok) {
      if (!recorded) this.#sayUnreadable(read, raw)
      return
    }
    const { event } = read
    const before = present.books
    const { isRepeated, contradiction } = this.#results.end(event)
    // What the journal holds was said when it was heard of.
    if (contradiction !== undefined && !recorded) this.#sayContradiction(event, contradiction)
    if (isRepeated) return
    this.#rejoins.onEvent(event, { recorded })
    this.#results.count(event)
    this.#seats.onEvent(event)
    this.#attribution.onEvent(event)
    // What the journal holds counts, where the service has said nothing by then: its reads may have to wait for the limit, and a prediction be due.
    if (recorded && present.books.custody.size > 0) present.deadlines.soon('tend', present.now + UNANSWERED_MS)
    const isNews = !recorded && event.createdAt >= this.#madeAt
    if (isNews) this.#report(event)
    else if (!recorded) {
      present.step.isHistory = true
      this.#historyEvents += 1
    }
    this.#intents.onEvent(event)
    if (event.type === 'contest.settled' || event.type === 'contest.cancelled') {
      const { contestId } = event.data
      if (event.type === 'contest.settled' && isNews) {
        const hasSwapped = this.#portfolios.open.has(contestId)
        this.#plays.keep(contestId)
        this.#settled.set(contestId, { data: event.data, at: event.createdAt, seat: before.seats.get(contestId), hasSwapped })
      }
      this.#overdue.onContestOver(contestId)
      this.#onContestEnded(contestId, endOf(event), event.createdAt)
      // What the journal holds was counted when it was heard of.
      if (event.type === 'contest.settled' && !recorded) this.#swaps.onSettled(event.data.profit, event.createdAt)
      if (event.type === 'contest.settled' && isNews) this.#finalReads.onSettled(contestId)
    }
    if (event.type !== 'contest.joined' && event.type !== 'contest.live') this.#onMoneyFree({ isPast: recorded })
    this.heard$.next({ type: 'event', event })
  }

  /** Whether a move in it is under way, or may have been taken. */
  #isMoveOpen(contestId: string): boolean {
    const isUnderWay = this.#intents.isUnderWay({ type: 'draftPick', contestId, token: '' }) || this.#swaps.underWayIn(contestId) > 0
    return isUnderWay || this.#present.books.custody.get(contestId)?.status === 'committed'
  }

  /** A stake that ends without a valid move is told of, whatever the cause, once it is known what became of its moves. */
  #tellUnplayed(): void {
    const { step } = this.#present
    const [modes, plays] = [this.#modes, this.#plays]
    for (const [contestId, { data, at, seat, hasSwapped }] of this.#settled) {
      if (this.#isMoveOpen(contestId)) continue
      this.#settled.delete(contestId)
      const { mode, result, stake } = data
      const hindrance = plays.settled({ contestId, mode, result, at, seat, hasSwapped })
      if (hindrance === undefined) {
        if (seat !== undefined) modes.happened(mode, { type: 'moved' }, step)
        continue
      }
      const message = `${mode}: ${formatUsdc(stake)} USDC were staked on a contest in which this bot made no valid move: ${wordsOf(hindrance)}`
      step.note('error', message, { code: 'UNPLAYED', mode, contestId, stake, hindrance })
      // The path was down, which is told of, and keeps what is played by swaps from being entered by itself.
      const isExplained = hindrance.startsWith('swap:') && this.#path.wasDownSince(seat?.startsAt ?? at)
      modes.happened(mode, { type: 'unplayed', hindrance, stake, isExplained }, step)
    }
  }

  /** A valid move was made in a contest. */
  #onMoved(contestId: string): void {
    const { books, ended, step } = this.#present
    // One that is over, and of which all is said, is not begun again.
    if (ended.has(contestId) && !this.#plays.has(contestId)) return
    this.#plays.moved(contestId)
    const mode = books.seats.get(contestId)?.mode
    if (mode !== undefined) this.#modes.happened(mode, { type: 'moved' }, step)
  }

  #onContestEnded(contestId: string, how: ContestEnd, at: number): void {
    if (!this.#settled.has(contestId)) this.#plays.forget(contestId)
    this.#portfolios.close(contestId, at)
    this.#results.notePeak()
    this.#intents.onContestEnded(contestId)
    this.#reveals.onContestEnded(contestId, how)
    this.strategies.calls.forget(contestId)
  }

  /** A ticket or contest has come to something: there may be room for another one. */
  #onMoneyFree({ isPast = false } = {}): void {
    this.strategies.policies.wantDecision()
    if (!isPast) this.#figures.onMoved()
  }

  #takeAnswer(answer: InputOf<'answer'>): void {
    const present = this.#present
    const input = this.#strays.sift(answer)
    const { request, result, begunAt } = input
    this.#rejoins.onAnswer(input)
    const answered = this.#reads.answered(input)
    const moneyWasKnown = isMoneyKnown(present.books)
    this.#figures.onAnswer(input, answered)
    if (result.ok) {
      const { procedure } = request
      const told = { procedure, input: request.input, output: result.output, begunAt, now: present.now, paths: present.options.paths }
      const missing = this.#seats.onAnswer(told)
      if (!moneyWasKnown && isMoneyKnown(present.books)) this.strategies.policies.wantDecision()
      if (missing !== undefined && !this.#missing.has(missing.message) && this.#missing.size < MOST_UNKNOWN) {
        this.#missing.add(missing.message)
        present.step.note('error', missing.message, { code: missing.code, procedure })
      }
      if (missing !== undefined && procedure === 'agent.modes.state') this.#onLacking(request.input)
    }
    this.#reveals.onAnswer(input)
    this.#catchUp.onAnswer(input)
    this.#seats.onRead(input, answered)
    this.#finalReads.onAnswer(input, answered)
    this.#overdue.onAnswer(input)
    this.strategies.policies.onAnswer(input)
    this.#trials.onAnswer(input)
    this.#intents.onLookUp(input, answered.againAt)
    this.#swaps.onAnswer(input, answered.againAt)
    this.#drift.onAnswer(input)
  }

  /** A live contest lacks what a move needs: the next one would, too. */
  #onLacking(input: unknown): void {
    const { books, step } = this.#present
    const [modes, plays] = [this.#modes, this.#plays]
    const { contestId } = input as ProcedureInput<'agent.modes.state'>
    const seat = books.seats.get(contestId)
    if (seat?.phase === 'live' && seat.mode !== undefined && plays.lacks(contestId))
      modes.happened(seat.mode, { type: 'hindered', hindrance: 'noPiece' }, step)
  }

  #takeOutcome(input: InputOf<'outcome'>): void {
    if (input.outcome.status === 'rejected') this.#noteRefusal(input.outcome.refusal)
    if (this.#swaps.onOrderOutcome(input)) return
    this.#intents.onOutcome(input)
  }

  #onConcluded(action: ServiceAction, outcome: Outcome): void {
    const accepted = outcome.status === 'accepted'
    if (!accepted) {
      if (action.type === 'revealPrediction') this.#reveals.onFailed(action.contestId)
      this.#seats.onFailed(action, outcome)
    }
    this.#notePlay(action, outcome)
    if (isEntry(action)) this.#noteEntry(action, outcome)
    if (action.type === 'cancelTicket' && !accepted) this.#overdue.lookAtTicket(action.ticketId)
    if (!isEntry(action) && action.type !== 'cancelTicket' && action.type !== 'leaveContest') return
    // What was just refused would be refused again: an eager policy must not become a flood of requests.
    if (!accepted) this.strategies.policies.wantDecisionSoon()
    else this.strategies.policies.wantDecision()
  }

  #notePlay(action: Action, outcome: Outcome): void {
    if (action.type !== 'draftPick' && action.type !== 'commitPrediction' && action.type !== 'revealPrediction') return
    const plays = this.#plays
    if (outcome.status === 'rejected') plays.hindered(action.contestId, `refused:${outcome.refusal.code}`)
    if (outcome.status === 'notSent') plays.hindered(action.contestId, 'refused:NOT_SENT')
  }

  /** A mode whose entries are refused again and again is closed. */
  #noteEntry(action: Entry, outcome: Outcome): void {
    const { books, step } = this.#present
    const modes = this.#modes
    const mode =
      action.type === 'joinContest' ? (books.seats.get(action.contestId) ?? joinableOf(books, action.contestId))?.mode : action.mode
    if (mode === undefined) return
    if (outcome.status === 'accepted')
      modes.happened(mode, { type: 'entered', action: action.type === 'joinContest' ? undefined : action }, step)
    else if (outcome.status === 'rejected' && !isOfMoment(outcome.refusal, action.type))
      modes.happened(mode, { type: 'entryRefused', code: outcome.refusal.code }, step)
  }

  /** Says once of each contest that the bot meets one of its own there: whichever wins, the rake is lost. */
  #reportMeetings(): void {
    const { books, step } = this.#present
    for (const contestId of this.#met) if (!books.seats.has(contestId)) this.#met.delete(contestId)
    for (const { contestId, bot } of meetingsOf(books)) {
      if (this.#met.has(contestId)) continue
      this.#met.add(contestId)
      step.note('warn', `${bot}, a bot of the same config, sits in the same contest: the two play against each other`, { contestId })
    }
  }

  /** Tells the other bots of the config where this one has money, and where it no longer has. */
  #announce(): void {
    if (this.#isAnnounced()) return
    const { step, books, options } = this.#present
    this.#announcedOf = { seats: books.seats, tickets: books.tickets, intents: this.#intents.revision, drift: this.#drift.revision }
    const isClosed = (mode: string) => this.#modes.closed(mode) !== undefined
    const inPlay = siblingEntriesOf(options.config.name, books, this.#intents.actions(), isClosed)
    const entries = new Map([...inPlay, ...this.#drift.entries()])
    for (const [key, entry] of entries) if (!this.#announced.has(key)) step.siblingsEntered.push(entry)
    for (const key of this.#announced.keys()) if (!entries.has(key)) step.siblingsLeft.push(key)
    this.#announced = entries
  }

  /** Whether seats, tickets and actions under way are those that were announced last. */
  #isAnnounced(): boolean {
    const { seats, tickets } = this.#present.books
    const of = this.#announcedOf
    return of?.seats === seats && of.tickets === tickets && of.intents === this.#intents.revision && of.drift === this.#drift.revision
  }

  #isDrained(): boolean {
    const { runMode, caughtUp, tickets, seats } = this.#present.books
    // Before it has caught up a bot may hold more than its books show.
    if (runMode !== 'draining' || !caughtUp) return false
    const isOpen =
      tickets.size > 0 ||
      seats.size > 0 ||
      this.#intents.openCount > 0 ||
      this.#swaps.isBusy ||
      !this.#sweeps.isDone ||
      !this.#finalReads.isDone ||
      this.#figures.isReading
    return !isOpen
  }

  #revealsDue(): number {
    const { books, now } = this.#present
    let due = 0
    for (const { contestId, status } of books.custody.values()) {
      const endsAt = books.seats.get(contestId)?.endsAt
      if (status === 'committed' && endsAt !== undefined && endsAt <= now) due += 1
    }
    return due
  }

  #report(event: ServiceEvent): void {
    const { step } = this.#present
    switch (event.type) {
      case 'contest.settled': {
        const { contestId, mode, result, stake, profit } = event.data
        step.note('info', `${mode}: ${result}, ${formatUsdc(profit)} USDC on a stake of ${formatUsdc(stake)}`, {
          contestId,
          result,
          profit,
        })
        return
      }
      case 'contest.live': {
        const { contestId, mode, endsAt } = event.data
        const token = this.#present.books.seats.get(contestId)?.token
        step.note('info', `${mode}: live${token === undefined ? '' : ` on ${symbolOf(token)}`} until ${new Date(endsAt).toISOString()}`, {
          contestId,
        })
        return
      }
      case 'contest.cancelled':
        step.note('info', `contest cancelled: ${String(event.data.reason ?? 'no reason given')}`, { contestId: event.data.contestId })
        return
      case 'ticket.failed':
        step.note('warn', 'a ticket could not be seated', { ticketId: event.data.ticketId, error: event.data.error })
        return
      case 'match.found':
      case 'ticket.expired':
      case 'contest.joined':
        step.note('debug', event.type, event.data)
        return
      default:
        unreachable(event)
    }
  }
}

function endOf(event: Extract<ServiceEvent, { type: 'contest.settled' | 'contest.cancelled' }>): ContestEnd {
  if (event.type === 'contest.cancelled') return 'cancelled'
  return event.data.result === 'WIN' ? 'won' : 'settled'
}

/** Whether an entry was refused for when it was sent: a moment later it is not. */
const isOfMoment = (refusal: ServiceRefusal, action: string): boolean =>
  isLostRace(refusal, action) || meaningOf(refusal, action) === 'rate'

const isMoneyKnown = (books: Books): boolean => books.limits !== undefined && books.bankroll !== undefined
