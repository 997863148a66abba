import { Subject } from 'rxjs'
import type { ServiceEvent } from '../contract/events.ts'
import { isTradingMode } from '../contract/modes.ts'
import type { ProcedureInput } from '../contract/procedures.ts'
import { CornermanError, unreachable } from '../core/error.ts'
import { isEntry } from '../guard/index.ts'
import type { ServiceAction } from '../strategy/action.ts'
import type { Strategy } from '../strategy/define.ts'
import { Foreign } from './actions/foreign.ts'
import { Intents } from './actions/intents.ts'
import { IncompleteAnswers } from './answers/incompleteAnswers.ts'
import { KnownSignatures } from './answers/knownSignatures.ts'
import { Strays } from './answers/strays.ts'
import { Attribution } from './books/attribution.ts'
import type { Books } from './books/books.ts'
import type { Heard, Turn } from './flow/proposal.ts'
import { type GuardSight, type GuardSources, guardViewOf } from './guardView.ts'
import { Figures } from './money/figures.ts'
import { LedgerKeeper } from './money/ledgerKeeper.ts'
import { Results } from './money/results.ts'
import { Orders } from './orders.ts'
import { DriftWatch } from './playable/driftWatch.ts'
import { UNPLAYED_LIMITS } from './playable/modeRecord.ts'
import { modeStatusesOf } from './playable/modeStatus.ts'
import { Modes } from './playable/modes.ts'
import { MoveRecord } from './playable/moveRecord.ts'
import { outOf } from './playable/outOf.ts'
import { pauseText } from './playable/owedMove.ts'
import { PathWatch } from './playable/pathWatch.ts'
import { Plays } from './playable/plays.ts'
import { sayUnreadable } from './playable/sayUnreadable.ts'
import { Trials } from './playable/trials.ts'
import { UnnamedEntries } from './playable/unnamedEntries.ts'
import { NewestPrices } from './prices/newestPrices.ts'
import type { Input, InputBody, InputOf, OperatorCommand, PlannedRead } from './protocol/input.ts'
import { later } from './protocol/later.ts'
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
import { Announcements } from './state/announcements.ts'
import type { BotStatus } from './state/botStatus.ts'
import { CatchUp } from './state/catchUp.ts'
import { CLOCKS_AGREE, clockGapText } from './state/clockGap.ts'
import { type BotOptions, Present } from './state/present.ts'
import { Remarks } from './state/remarks.ts'
import { Session } from './state/session.ts'
import { StreamHistory } from './state/streamHistory.ts'
import { ownStrategies } from './strategies/ownStrategies.ts'
import { Strategies } from './strategies/strategies.ts'
import { equityOf } from './swaps/equity.ts'
import { PastFills } from './swaps/pastFills.ts'
import { Portfolios } from './swaps/portfolios.ts'
import { Swaps } from './swaps/swaps.ts'
import { Sweeps, unsoldProfitOf } from './swaps/sweeps.ts'
import { emptyTally } from './tally.ts'
import { ToldTokens } from './toldTokens.ts'

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

/**
 * All that a bot knows, plans and has under way. Of each input it is told in three parts, between which strategies speak
 * (`flow/decided.ts`): `take`, `tend`, `close`. It has no clock, no I/O and no randomness of its own.
 */
export class BotState {
  readonly #present: Present
  readonly #newest = new NewestPrices()
  readonly #tokens = new ToldTokens()
  readonly #tally = emptyTally()
  readonly #plays: Plays
  readonly #portfolios = new Portfolios()
  readonly #attribution = new Attribution()
  readonly #modes: Modes
  readonly #remarks: Remarks
  readonly #moves: MoveRecord
  readonly #announcements: Announcements
  readonly #pastFills: PastFills
  readonly #session: Session
  readonly #results: Results
  readonly #guarded: GuardSources
  /** The strategies of the config; in place of those that are isolated, who speaks for them. */
  readonly #own: readonly Strategy[]
  readonly #intents: Intents
  readonly #strays: Strays
  readonly #incomplete: IncompleteAnswers
  readonly #reads: Reads
  readonly #figures: Figures
  readonly #keeper: LedgerKeeper
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
  readonly #unnamed: UnnamedEntries
  readonly #foreign: Foreign
  readonly strategies: Strategies
  /** What strategies hear of at once, while an input is being taken in. */
  readonly heard$ = new Subject<Heard>()
  /** The time at which the bot wants to be woken, in Unix milliseconds, whenever a price of which nothing else came has made it another one. */
  readonly wakeAt$ = new Subject<number | undefined>()
  /** Who is told of what is due. */
  readonly #owners: Readonly<Record<Exclude<TaskOwner, 'anybody'>, { onDue(purpose: TaskKey): void }>>
  readonly #history = new StreamHistory()

  /** The books before the input that is being processed, and what is due with it. */
  #before: Books
  #due: readonly TaskKey[] = []
  #isOfSwaps = false
  #wakeAt: number | undefined

  /** @param onLate told of what a strategy emits between inputs; it enters as an input of its own */
  constructor(options: BotOptions, onLate: (late: Extract<InputBody, { type: 'late' }>) => void) {
    const present = new Present(options)
    this.#present = present
    this.#plays = new Plays(present)
    this.#before = present.books
    this.#modes = new Modes(options.config.guard.unplayed ?? UNPLAYED_LIMITS)
    this.#session = new Session(present.owned)
    this.#results = new Results(present.owned, this.#portfolios)
    this.#own = ownStrategies(present, this.#newest)
    const [tally, modes, plays, portfolios] = [this.#tally, this.#modes, this.#plays, this.#portfolios]
    const [results, tokens, attribution, newest] = [this.#results, this.#tokens, this.#attribution, this.#newest]
    const [refusals, signatures] = [new Refusals(tally), new KnownSignatures()]
    this.#strays = new Strays(present, { signatures, isNamed: (id) => this.#intents.names(id) })
    this.#incomplete = new IncompleteAnswers(present)
    const reads = new Reads(present, { strays: this.#strays, incomplete: this.#incomplete })
    this.#reads = reads
    const figures = new Figures(present, reads)
    this.#figures = figures
    const { reservations, ledger } = figures
    this.#keeper = new LedgerKeeper(present, { figures, attribution, mayHaveMade: () => this.#intents.mayHaveMade })
    this.#guarded = { present, reservations, ledger, results, portfolios, attribution, modes, prices: newest, tokens }
    const sight: GuardSight = (by, swaps) => guardViewOf(this.#guarded, by, swaps)
    this.#remarks = new Remarks(present)
    this.#pastFills = new PastFills(present, { portfolios, results })
    const moves = new MoveRecord(present, {
      ...{ modes, plays, path: () => this.#path, enteredAs: (contestId) => this.#unnamed.enteredAs(contestId) },
      isUnderWay: (contestId) =>
        this.#intents.isUnderWay({ type: 'draftPick', contestId, token: '' }) || this.#swaps.underWayIn(contestId) > 0,
    })
    this.#moves = moves
    const onMoved = (contestId: string) => moves.onMoved(contestId)
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
    this.#unnamed = new UnnamedEntries(present, { modes, ledger, entering: () => intents.entering })
    this.#catchUp = new CatchUp(present, { reads, session: this.#session, onCaughtUp: () => figures.onCaughtUp() })
    this.#reveals = new Reveals(present, { intents, reservations })
    this.#finalReads = new FinalReads(present, reads)
    this.#rejoins = new Rejoins(present, { seats, underWaySince: (action) => intents.underWaySince(action) })
    this.#overdue = new Overdue({
      ...{ present, reads, seats, results },
      onContestEnded: (contestId, how) => {
        seats.end(contestId)
        if (how === 'settled') figures.ledger.supposedLost(contestId)
        else figures.ledger.gaveBack(contestId)
        this.#onContestEnded(contestId, how, present.now)
        this.#onMoneyFree()
      },
      onTicketEnded: (ticketId) => {
        figures.ledger.gaveBack(ticketId)
        this.#onMoneyFree()
      },
    })
    const strategies = this.#own
    const path = new PathWatch(present, {
      ...{ modes, portfolios, strategies, pricedAt: () => newest.at },
      onChange: () => this.strategies.policies.wantDecision(),
    })
    this.#path = path
    this.#trials = new Trials({ present, modes, intents, reads })
    this.#drift = new DriftWatch(present, { modes, lookAgain: (purpose, at) => this.#lookAgain(purpose, at) })
    this.#announcements = new Announcements(present, { modes, drift: this.#drift, intents })
    modes.path = () => path.path
    modes.swapBudget = () => path.budget
    modes.out = (mode) => outOf(present.books, intents.entering, mode)
    const swaps = new Swaps(present, {
      ...{ reads, money: figures, path, portfolios, results, signatures, plays, tally, refusals, tokens, sight },
      onSwapped: (contestId, landed) => moves.onSwapped(contestId, landed),
      onOutcome: (by, contestId, outcome) => {
        if (by === FRAMEWORK) this.#sweeps.onSwapOutcome(outcome)
        else this.strategies.traders.onSwapOutcome(by, contestId, outcome)
      },
    })
    this.#swaps = swaps
    this.#sweeps = new Sweeps(present, { swaps, path, portfolios })
    this.#orders = new Orders(present, { intents, swaps, ledger })
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
    const intents = this.#intents
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
      actions: {
        ...{ ...counts, unknown: intents.unknown + this.#swaps.unknown },
        get unknownKeys() {
          return intents.unknownKeys
        },
      },
      reveals: { due: counts.revealed + counts.missed + this.#revealsDue(), done: counts.revealed },
      strayAnswers: this.#strays.count,
      incompleteAnswers: this.#incomplete.now,
      unnamedEntries: this.#unnamed.now,
      lifecycleBreaks: present.lifecycleBreaks,
      overdueReveals: this.#intents.predictions.troubled,
      missingMoney: this.#keeper.missing,
      clockGapMs: present.clockGapMs,
      lastPause: this.#plays.lastPause,
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
    this.#path.onPrices()
    this.strategies.onPrices()
    this.#due = present.deadlines.takeDue(at)
    // Whatever time alone brings about is among the deadlines: a price that nobody acts on needs no more than this.
    return this.#due.length > 0 || !present.step.isQuiet || present.books !== this.#before || this.strategies.isWaiting
  }

  #begin(input: Input, n: number, at: number): void {
    const present = this.#present
    present.step = present.step.next(input, n, at)
    this.#figures.ledger.move(at)
    this.#pastFills.foldBefore(input)
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
    const isOfSwaps = due.length === 0 && OF_SWAPS.has(present.step.input.type) && this.#announcements.areMade
    if (!isOfSwaps) {
      this.#rejoins.tend()
      this.#tendSeats()
      this.#overdue.tend()
    }
    // Before whoever enters has its turn: this may close a mode.
    this.#moves.tend()
    if (!isOfSwaps && !isRecorded(present)) this.#unnamed.tend()
    this.#path.tend()
    if (this.#path.isDown && !isRecorded(present)) this.#seats.cancelTickets(isTradingMode)
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
    if (runMode !== 'draining' && stopped !== 'all') this.#seats.resumed()
    else if (!isRecorded(present)) this.#seats.windUp()
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
    if (present.books.seats !== before.seats || present.books.siblings !== before.siblings) this.#announcements.reportMeetings()
    if (present.books !== before && !this.#isOfSwaps) this.#foreign.report()
    this.#announcements.make()
    this.#keeper.tend(before)
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
        this.#keeper.start(input)
        for (const fault of input.faults ?? []) present.step.note('error', fault)
        this.#seats.recover(input.left ?? [])
        this.#pastFills.start(input.fills)
        this.#history.start(input)
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
        this.#incomplete.isWhole('agent.events')
        this.#figures.ledger.serviceKnown(input.at)
        this.#catchUp.onStream(true)
        this.#history.end()
        this.#remarks.historyRead()
        return
      case 'behind':
        this.#catchUp.onStream(false)
        if (input.lacks !== undefined) this.#incomplete.lacks('agent.events', input.lacks)
        else present.step.note('warn', `the event stream cannot be read: ${input.reason}`)
        return
      case 'restored':
        this.#takeRestored(input)
        return
      case 'answer':
        this.#takeAnswer(input)
        return
      case 'timer':
        return
      case 'clock':
        if (input.skewMs !== undefined) this.#figures.ledger.skewed(input.skewMs)
        if (input.lagMs !== undefined) this.#takeLag(input.lagMs)
        if (input.gapMs !== undefined) this.#takeGap(input.gapMs)
        return
      case 'paused':
        this.#takePause(input)
        return
      case 'chainBalance':
        this.#keeper.onChain(input)
        return
      case 'feed':
        this.#path.onFeed(input.trouble)
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
  #takeRestored({ reason, cause }: InputOf<'restored'>): void {
    if (cause === 'retention') this.#remarks.expired(reason)
    else this.#remarks.restored(reason)
    this.#figures.refresh()
    this.#catchUp.onRestored()
    this.#overdue.onRestored()
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

  #takeEvent({ read, raw, cursor, recorded }: InputOf<'event'>): void {
    const present = this.#present
    // What the journal holds counts, where the service has said nothing by then: its reads may have to wait for the limit, and a prediction be due.
    if (recorded && present.books.custody.size > 0) present.deadlines.set('tend', present.now + UNANSWERED_MS)
    if (!read.ok) {
      if (!recorded) this.#remarks.unreadable(read, raw)
      return
    }
    const event = later(read.event, present.lagMs)
    const before = present.books
    const { isRepeated, contradiction } = this.#results.end(event)
    // What the journal holds was said when it was heard of.
    if (contradiction !== undefined && !recorded) this.#remarks.contradicted(event, contradiction)
    if (!isRepeated) {
      this.#rejoins.onEvent(event, { recorded })
      this.#results.count(event)
    }
    this.#keeper.onEvent(event, { isRepeated, recorded, before })
    if (isRepeated) return
    this.#seats.onEvent(event)
    this.#attribution.onEvent(event)
    const isNews = !recorded && (!this.#history.holds(event, cursor) || this.#isOfOwnEntry(event))
    if (isNews) this.#remarks.news(event)
    else if (!recorded) this.#remarks.history()
    this.#intents.onEvent(event)
    if (event.type === 'contest.settled' || event.type === 'contest.cancelled') {
      const { contestId } = event.data
      if (event.type === 'contest.settled' && isNews) {
        const hasSwapped = this.#portfolios.open.has(contestId)
        this.#moves.onSettled(event, { seat: before.seats.get(contestId), hasSwapped })
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

  #isOfOwnEntry({ data }: ServiceEvent): boolean {
    const ids = ['ticketId' in data ? data.ticketId : undefined, 'contestId' in data ? data.contestId : undefined]
    return ids.some((id) => typeof id === 'string' && (this.#intents.names(id) || this.#figures.ledger.knows(id)))
  }

  /** @param fault what the answer lacks, or why there is none */
  #takeStateRead({ procedure, input }: PlannedRead, fault: CornermanError | string | undefined): void {
    if (procedure !== 'agent.modes.state') return
    const { contestId } = input as ProcedureInput<'agent.modes.state'>
    const isLacking = fault instanceof CornermanError
    this.#moves.onStateRead(contestId, { unread: isLacking ? fault.message : fault, isLacking })
  }

  /** The service's time was found to be another: so are the times that it has named before. */
  #takeLag(lagMs: number): void {
    const present = this.#present
    this.#seats.moveTimes(lagMs - present.lagMs)
    present.lagMs = lagMs
  }

  #takeGap(gapMs: number): void {
    const present = this.#present
    present.clockGapMs = gapMs
    const [level, message] = gapMs === 0 ? (['info', CLOCKS_AGREE] as const) : (['error', clockGapText(gapMs)] as const)
    present.step.note(level, message, { code: 'CLOCKS_DISAGREE', gapMs })
  }

  #takePause({ from, until }: InputOf<'paused'>): void {
    this.#plays.paused({ from, until })
    // The process says it once for all its bots.
    this.#present.step.note('debug', () => pauseText({ from, until }), { code: 'PAUSED', from, until })
  }

  #onContestEnded(contestId: string, how: ContestEnd, at: number): void {
    this.#swaps.onContestEnded(contestId)
    this.#moves.onContestEnded(contestId)
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
    const input = inOwnTime(this.#strays.sift(answer), present.lagMs)
    const { request, result, begunAt } = input
    this.#rejoins.onAnswer(input)
    const answered = this.#reads.answered(input)
    const moneyWasKnown = isMoneyKnown(present.books)
    this.#figures.onAnswer(input, answered)
    if (result.ok) {
      const { procedure } = request
      const told = {
        procedure,
        input: request.input,
        output: result.output,
        begunAt,
        now: present.now,
        lagMs: present.lagMs,
        paths: present.options.paths,
      }
      const missing = this.#seats.onAnswer(told)
      if (!moneyWasKnown && isMoneyKnown(present.books)) this.strategies.policies.wantDecision()
      if (missing !== undefined) this.#remarks.missing(missing, procedure)
      this.#takeStateRead(request, missing)
    } else this.#takeStateRead(request, result.reason)
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

  #takeOutcome(input: InputOf<'outcome'>): void {
    if (input.outcome.status === 'rejected') this.#remarks.refused(input.outcome.refusal)
    if (this.#swaps.onOrderOutcome(input)) return
    this.#intents.onOutcome(input)
  }

  #onConcluded(action: ServiceAction, outcome: Outcome): void {
    const accepted = outcome.status === 'accepted'
    if (!accepted) {
      if (action.type === 'revealPrediction') this.#reveals.onFailed(action.contestId)
      this.#seats.onFailed(action, outcome)
    }
    this.#moves.onConcluded(action, outcome)
    if (action.type === 'cancelTicket' && !accepted) this.#overdue.lookAtTicket(action.ticketId)
    if (!isEntry(action) && action.type !== 'cancelTicket' && action.type !== 'leaveContest') return
    // What was just refused would be refused again: an eager policy must not become a flood of requests.
    if (!accepted) this.strategies.policies.wantDecisionSoon()
    else this.strategies.policies.wantDecision()
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
}

/** The state of a mode is read by its places, and moved as they are read. */
function inOwnTime(input: InputOf<'answer'>, lagMs: number): InputOf<'answer'> {
  const { request, result } = input
  if (lagMs === 0 || !result.ok || request.procedure === 'agent.modes.state') return input
  return { ...input, result: { ...result, output: later(result.output, lagMs) } }
}

function endOf(event: Extract<ServiceEvent, { type: 'contest.settled' | 'contest.cancelled' }>): ContestEnd {
  if (event.type === 'contest.cancelled') return 'cancelled'
  return event.data.result === 'WIN' ? 'won' : 'settled'
}

const isMoneyKnown = (books: Books): boolean => books.limits !== undefined && books.bankroll !== undefined
