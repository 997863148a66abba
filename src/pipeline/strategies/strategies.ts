import type { ServiceEvent } from '../../contract/events.ts'
import type { ProcedureInput } from '../../contract/procedures.ts'
import { broken, unreachable } from '../../core/error.ts'
import { formatUsdc } from '../../core/usdc.ts'
import { type Action, type ActionOf, isSwap, readAction } from '../../strategy/action.ts'
import type { DraftPicker, Predictor, QueuePolicy, Strategy } from '../../strategy/define.ts'
import type { BotView, SwapOutcome } from '../../strategy/view.ts'
import type { Intents } from '../actions/intents.ts'
import { isActive, type Seat } from '../books/books.ts'
import { contestViewOf, joinableOf, viewOf } from '../books/views.ts'
import type { Bot } from '../bot.ts'
import { isSided } from '../guardView.ts'
import type { InputOf, StrategyResult } from '../input.ts'
import { StrategyPrices } from '../prices/strategyPrices.ts'
import { type Purpose, type PurposeOwnedBy, partsOf } from '../purpose.ts'
import { type Reads, saysNo } from '../reads.ts'
import type { Swaps } from '../swaps/swaps.ts'
import { Calls } from './calls.ts'
import type { Suspension } from './containment.ts'
import { CustomRunner } from './customRunner.ts'
import { isInterruption } from './interruption.ts'
import type { Emission } from './streamRunner.ts'
import { Traders } from './traders.ts'

const BROWSE_EVERY_MS = 4000
/** Of open contests at a time; a service that takes no such limit is asked without one. */
const BROWSE_LIMIT = 100
/** After an action came to nothing, how long its policy waits before it is asked again. */
const AFTER_FAILURE_MS = 1000
/** An entry whose outcome is not known for so long is told of, and again. */
const SAY_HELD_MS = 60_000
const CUSTOM = 'custom:'

const isAsked = ({ kind }: Strategy): boolean => kind === 'queue' || kind === 'draft' || kind === 'predict'

interface StrategiesOptions {
  readonly bot: Bot
  readonly intents: Intents
  readonly swaps: Swaps
  readonly reads: Reads
  /** Told of what a strategy emits between inputs. */
  readonly onLate: (callId: string, result: StrategyResult) => void
}

/** Says which of the bot's strategies are asked when, and puts what they want before the guard. */
export class Strategies {
  readonly #bot: Bot
  readonly #intents: Intents
  readonly #reads: Reads
  readonly #calls: Calls
  /** Of those that are asked, by name: a price that one of them is told is its own, and no other sees what it makes of it. */
  readonly #prices: ReadonlyMap<string, StrategyPrices>
  readonly #policies: readonly QueuePolicy[]
  readonly #pickers: readonly DraftPicker[]
  readonly #predictors: readonly Predictor[]
  readonly #customs: readonly { readonly runner: CustomRunner; readonly prices: StrategyPrices }[]
  readonly #traders: Traders
  readonly #swaps: Swaps
  readonly #asked = new WeakSet<Seat>()
  /** Whether a policy wants to be shown the contests that others opened. */
  readonly #isBrowsing: boolean
  #wantsDecision = true
  #browseLimit: number | undefined = BROWSE_LIMIT
  /** The policy that is asked first at the next decision: those that an entry kept from being asked come before the one that made it. */
  #first = 0
  /** An entry has kept a policy from being asked. */
  #isHeld = false
  #saidHeldAt = Number.NEGATIVE_INFINITY
  /** What custom strategies hear of once the bot has caught up: every event in order, and of contests the newest. */
  readonly #heldEvents: ServiceEvent[] = []
  #owesContests = false

  constructor({ bot, intents, swaps, reads, onLate }: StrategiesOptions) {
    this.#bot = bot
    this.#intents = intents
    this.#swaps = swaps
    this.#reads = reads
    const { strategies } = bot
    const { book, config } = bot.options
    this.#prices = new Map(strategies.filter(isAsked).map(({ name }) => [name, new StrategyPrices(book)]))
    this.#calls = new Calls(bot, {
      prices: (strategy) => this.#pricesOf(strategy).asOf(bot.tick, bot.now),
      state: () => this.#view(),
      entries: () => intents.entries,
      onActions: (actions, strategy) => this.#enter(actions, strategy),
      onOutdated: ({ name }) => {
        bot.step.note('debug', 'another entry was made while it was deciding: it is asked again', { strategy: name })
        this.wantDecision()
      },
    })
    this.#traders = new Traders(bot, this.#calls, swaps, onLate)
    this.#policies = strategies.filter((strategy) => strategy.kind === 'queue')
    this.#isBrowsing = this.#policies.some(({ browse }) => browse !== undefined)
    this.#pickers = strategies.filter((strategy) => strategy.kind === 'draft')
    this.#predictors = strategies.filter((strategy) => strategy.kind === 'predict')
    this.#customs = strategies
      .filter((strategy) => strategy.kind === 'custom')
      .map((strategy) => {
        const prices = new StrategyPrices(book)
        const world = {
          now: () => bot.now,
          prices: () => prices.asOf(bot.tick, bot.now),
          state: () => this.#view(),
          log: this.#calls.logOf(strategy.name),
        }
        const late = (emission: Emission) => onLate(CUSTOM + strategy.name, emission)
        return { prices, runner: new CustomRunner(strategy, { seed: config.seed, agenda: bot.agenda, world, onLate: late }) }
      })
  }

  /** Whether a strategy is to be asked, or told of something, at the next input. */
  get isWaiting(): boolean {
    return this.#wantsDecision || this.#traders.isWaiting
  }

  /** Strategies that failed too often, and where. */
  get suspended(): readonly Suspension[] {
    return this.#calls.suspended
  }

  /** A ticket or contest has come to something: policies are asked again in this step. */
  wantDecision(): void {
    this.#wantsDecision = true
  }

  /** An action came to nothing: policies are asked again, a little later. */
  wantDecisionSoon(): void {
    const { agenda, now } = this.#bot
    for (const index of this.#policies.keys()) agenda.soon(`decide:${index}`, now + AFTER_FAILURE_MS)
  }

  onEvent(event: ServiceEvent): void {
    // What they make of it while the bot is behind would be refused.
    if (this.#bot.books.caughtUp) this.#tellEvent(event)
    else if (this.#customs.some(({ runner }) => runner.started)) this.#heldEvents.push(event)
  }

  onPrices(): void {
    const { books, tick } = this.#bot
    for (const prices of this.#prices.values()) prices.emit(tick)
    if (!books.caughtUp) return
    if (this.#bot.tick$.observed) this.#bot.tick$.next(tick)
    for (const { runner, prices } of this.#customs)
      if (runner.started)
        this.#take(
          runner,
          runner.during(() => prices.emit(tick)),
        )
    this.#traders.onPrices()
  }

  onSwapOutcome(by: string, contestId: string, outcome: SwapOutcome): void {
    this.#traders.onSwapOutcome(by, contestId, outcome)
  }

  onSeatsChanged(): void {
    this.#owesContests = !this.#bot.books.caughtUp
    if (this.#owesContests) return
    const contests = [...this.#bot.books.seats.values()].filter(isActive).map(contestViewOf)
    for (const { runner } of this.#started()) this.#take(runner, runner.contests(contests))
  }

  onContestEnded(contestId: string): void {
    this.#calls.forget(contestId)
  }

  onAnswer({ request, result }: InputOf<'answer'>): void {
    if (partsOf(request.purpose).kind !== 'browse') return
    this.#bot.agenda.set(request.purpose, this.#bot.now + BROWSE_EVERY_MS)
    if (result.ok) this.#wantsDecision = true
    else if (saysNo(result.refusal)) this.#browseLimit = undefined
  }

  onDue(purpose: PurposeOwnedBy<'strategies'>): void {
    const { kind, about } = partsOf(purpose)
    switch (kind) {
      case 'decide':
        this.#wantsDecision = true
        return
      case 'browse':
        this.#browse()
        return
      case 'every':
        this.#onPeriod(purpose)
        return
      case 'call':
        this.#calls.onOverdue(about)
        return
      default:
        unreachable(kind)
    }
  }

  /** A period that some strategy asked for is over. */
  #onPeriod(purpose: Purpose): void {
    const isTold = this.#bot.books.caughtUp
    for (const { runner } of this.#started()) this.#take(runner, runner.period(purpose, { isTold }))
    this.#traders.onPeriod(purpose)
  }

  /** A promised answer, or an emission between inputs. */
  onLate(late: InputOf<'late'>): void {
    if (this.#traders.onLate(late)) return
    if (!late.callId.startsWith(CUSTOM)) {
      this.#calls.onLate(late)
      return
    }
    const custom = this.#customs.find(({ runner }) => CUSTOM + runner.name === late.callId)
    if (custom !== undefined) this.#take(custom.runner, [late.result])
  }

  /**
   * Asks whoever is to be asked as the books now stand.
   *
   * @param isOfSwaps nothing has come of the input but what becomes of swaps: no seat asks for a move that did not before
   */
  run({ isOfSwaps }: { readonly isOfSwaps: boolean }): void {
    const { books, n } = this.#bot
    if (!books.caughtUp) return
    if (this.#heldEvents.length > 0) for (const event of this.#heldEvents.splice(0)) this.#tellEvent(event)
    if (this.#owesContests) this.onSeatsChanged()
    for (const { runner } of this.#customs) {
      if (!runner.started && !this.#calls.isSuspended(runner.name)) this.#take(runner, runner.start(n))
    }
    if (!isOfSwaps) for (const seat of books.seats.values()) if (isActive(seat)) this.#askForMove(seat)
    this.#traders.run()
    if (this.#isHeld && !this.#isEntering()) {
      this.#isHeld = false
      this.wantDecisionSoon()
    }
    if (books.runMode === 'running' && books.stopped === 'nothing' && books.limits !== undefined && books.bankroll !== undefined)
      this.#decide()
  }

  /** The work of a step is done. */
  finish(): void {
    this.#traders.planTelling()
  }

  stop(): void {
    for (const prices of this.#prices.values()) prices.close()
    this.#traders.stop()
    for (const { runner, prices } of this.#customs) {
      runner.stop()
      prices.close()
    }
  }

  #tellEvent(event: ServiceEvent): void {
    for (const { runner } of this.#started()) this.#take(runner, runner.event(event))
  }

  #view(): BotView {
    const { books, portfolios } = this.#bot
    return viewOf(books, {
      entering: this.#intents.entering,
      hasSwapped: (contestId) => portfolios.open.has(contestId) || this.#swaps.isUnderWayFor(contestId),
    })
  }

  #pricesOf(strategy: string): StrategyPrices {
    return this.#prices.get(strategy) ?? broken('a strategy that is asked has prices of its own', { strategy })
  }

  #started() {
    return this.#customs.filter(({ runner }) => runner.started)
  }

  /** Asks the policies in turn, each of which sees all that was entered: while an entry has no outcome nothing shows it, and none is asked. */
  #decide(): void {
    const { agenda, now } = this.#bot
    this.#browse()
    if (!this.#wantsDecision) return
    this.#wantsDecision = false
    this.#policies.forEach(({ everySec }, index) => {
      agenda.set(`decide:${index}`, now + everySec * 1000)
    })
    const { length } = this.#policies
    const from = this.#first
    for (let asked = 0; asked < length; asked++) {
      if (this.#isEntering()) {
        this.#hold()
        return
      }
      const index = (from + asked) % length
      this.#first = (index + 1) % length
      const strategy = this.#policies[index]
      if (strategy !== undefined) this.#calls.call({ kind: 'decide', strategy })
    }
  }

  #isEntering(): boolean {
    return this.#intents.entering.length > 0 || this.#calls.isJoining
  }

  /** Says it, where it takes long: nothing is entered meanwhile. */
  #hold(): void {
    const { now, step } = this.#bot
    this.#isHeld = true
    const [oldest] = this.#intents.entering
    if (oldest === undefined || now - oldest.askedAt < SAY_HELD_MS || now - this.#saidHeldAt < SAY_HELD_MS) return
    this.#saidHeldAt = now
    const { type, stake, askedAt } = oldest
    const seconds = Math.round((now - askedAt) / 1000)
    step.note('warn', `no policy is asked: what became of ${type} for ${formatUsdc(stake)} USDC is not known since ${seconds} s`, {
      type,
      stake,
    })
  }

  #browse(): void {
    if (!this.#isBrowsing) return
    const { agenda, books } = this.#bot
    this.#policies.forEach(({ browse }, index) => {
      const purpose: Purpose = `browse:${index}`
      if (
        browse === undefined ||
        books.runMode !== 'running' ||
        books.stopped !== 'nothing' ||
        agenda.has(purpose) ||
        this.#reads.isUnderWay(purpose)
      )
        return
      // The contract's own filters, though nobody may write into these.
      const filters = browse as Pick<ProcedureInput<'agent.contests.list'>, 'modes' | 'minStake' | 'maxStake'>
      const limit = this.#browseLimit === undefined ? {} : { limit: this.#browseLimit }
      this.#reads.ask(purpose, 'agent.contests.list', { ...filters, status: 'open', ...limit })
    })
  }

  /** Once for each time the seat was read or changed, so that a strategy that passes is asked again only then. */
  #askForMove(seat: Seat): void {
    if (this.#asked.has(seat)) return
    this.#asked.add(seat)
    const { contestId, mode } = seat
    if (seat.turn !== undefined && !this.#intents.isUnderWay({ type: 'draftPick', contestId, token: '' })) {
      const [strategy] = this.#pickers
      if (strategy !== undefined) this.#calls.call({ kind: 'pick', strategy, contestId })
    }
    const mayCommit = seat.commitBy !== undefined && this.#bot.now < seat.commitBy && seat.committed !== true && seat.entryId !== undefined
    if (!mayCommit || this.#intents.isUnderWay({ type: 'commitPrediction', contestId, price: '' })) return
    const held = this.#bot.books.custody.get(contestId)
    const isForAnother = held?.status === 'made' && !this.#intents.vault.isForSeat(contestId)
    // It was never taken, and would be of no use: its commitment is to another entry.
    if (isForAnother) this.#intents.vault.move(contestId, 'dropped')
    else if (held !== undefined) {
      // Made before a stop or a refusal: commit to the same price with the same salt.
      if (held.status === 'made') this.#intents.submit({ type: 'commitPrediction', contestId, price: held.price }, 'framework')
      return
    }
    const strategy = this.#predictorFor(mode)
    if (strategy !== undefined) this.#calls.call({ kind: 'predict', strategy, contestId, join: undefined })
  }

  #predictorFor(mode: string | undefined): Predictor | undefined {
    return mode === undefined ? undefined : this.#predictors.find(({ modes }) => modes.includes(mode))
  }

  #enter(actions: readonly Action[], by: string): void {
    for (const action of actions) {
      if (action.type === 'joinContest') this.#join(action, by)
      else if (isSwap(action)) this.#swaps.submit(action, by)
      else this.#intents.submit(action, by)
    }
  }

  /** Joins the first of the contests named in which the side is free, after asking for the side where one is needed. */
  #join(action: ActionOf<'joinContest'>, by: string): void {
    const listed = joinableOf(this.#bot.books, action.contestId)
    if (action.side === undefined && listed !== undefined && isSided(listed.mode)) {
      const strategy = this.#predictorFor(listed.mode)
      if (strategy !== undefined) {
        this.#calls.call({ kind: 'predict', strategy, contestId: action.contestId, join: action })
        return
      }
    }
    const { orElse = [], ...first } = action
    const candidates = [first, ...orElse.map((contestId) => ({ ...first, contestId }))]
    const free = candidates.find(({ contestId, side }) => this.#isFree(contestId, side))
    this.#intents.submit(free ?? first, by)
  }

  #isFree(contestId: string, side: string | undefined): boolean {
    const listed = joinableOf(this.#bot.books, contestId)
    return listed !== undefined && (side === undefined || !listed.sidesTaken.includes(side))
  }

  #take(runner: CustomRunner, emissions: readonly Emission[]): void {
    for (const emission of emissions) {
      if (!emission.ok) runner.onFailure()
      if (this.#calls.isSuspended(runner.name)) return
      try {
        if (!emission.ok) throw emission.thrown
        this.#enter([readAction(emission.value)], runner.name)
      } catch (thrown) {
        if (!isInterruption(thrown)) this.#calls.fault(runner.name, undefined, thrown)
      }
    }
  }
}
