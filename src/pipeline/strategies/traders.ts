import { CornermanError } from '../../core/error.ts'
import { readOnly } from '../../core/readOnly.ts'
import type { Usdc } from '../../core/usdc.ts'
import { readSwapIntent } from '../../strategy/action.ts'
import type { Strategy, Trader } from '../../strategy/define.ts'
import type { SwapOutcome } from '../../strategy/view.ts'
import { freeUsdc, type Seat } from '../books/books.ts'
import { contestViewOf } from '../books/views.ts'
import { NOTHING } from '../flow/each.ts'
import type { Heard, Proposal } from '../flow/proposal.ts'
import type { Plays } from '../playable/plays.ts'
import type { NewestPrices } from '../prices/newestPrices.ts'
import { StrategyPrices } from '../prices/strategyPrices.ts'
import type { InputOf, StrategyResult } from '../protocol/input.ts'
import type { TaskKey } from '../protocol/taskKey.ts'
import type { Present } from '../state/present.ts'
import { emptyPortfolio, positionsOf } from '../swaps/portfolio.ts'
import type { Portfolios } from '../swaps/portfolios.ts'
import type { Swaps } from '../swaps/swaps.ts'
import type { Calls } from './calls.ts'
import type { Emission, Spoken } from './streamRunner.ts'
import { TraderRunner } from './traderRunner.ts'

const TRADER = 'trader:'
const TELL_LATER_MS = 50
/** Of one trader in a row: more is a fault of its own. */
const MOST_REFUSALS = 20
/** A swap sent on the very millisecond a window opens may be early by the service's clock. */
const OPENING_MARGIN_MS = 50

interface Run {
  readonly runner: TraderRunner
  readonly prices: StrategyPrices
  /** Tells what it listens to of the newest tick. */
  readonly tellPrices: () => void
  /** Of its swaps, in a row. */
  refusals: number
  /** When its window is known to close. */
  endsAt: number | undefined
}

/** What became of a swap, for whoever asked for it, from a time on. */
interface Told {
  readonly by: string
  readonly contestId: string
  readonly outcome: SwapOutcome
  readonly from: number
}

interface TradersOptions {
  readonly present: Present
  readonly strategies: readonly Strategy[]
  readonly newest: NewestPrices
  readonly plays: Plays
  readonly portfolios: Portfolios
  readonly calls: Calls
  readonly swaps: Swaps
  /** USDC that is spent by now and that no bankroll shows yet. */
  readonly unseenSpend: () => Usdc
  /** Told of what one emits between inputs. */
  readonly onLate: (callId: string, result: StrategyResult) => void
}

/** Runs the bot's traders: one in each live contest of a mode that is played by swaps. */
export class Traders {
  readonly #present: Present
  readonly #calls: Calls
  readonly #swaps: Swaps
  readonly #traders: readonly Trader[]
  readonly #options: TradersOptions
  /** By contest. */
  readonly #runs = new Map<string, Run>()
  /** What became of swaps, oldest first: told once the work of a step is done. */
  readonly #untold: Told[] = []

  constructor(options: TradersOptions) {
    const { present, strategies, calls, swaps } = options
    this.#options = options
    this.#present = present
    this.#calls = calls
    this.#swaps = swaps
    this.#traders = strategies.filter((strategy) => strategy.kind === 'trade')
  }

  /**
   * Takes note of what became of a swap. A failure is told a little later: a DEX that fails at once and a trader who
   * always asks again would otherwise leave the bot time for nothing else.
   */
  onSwapOutcome(by: string, contestId: string, outcome: SwapOutcome): void {
    if (!this.#runs.has(contestId)) return
    const { now } = this.#present
    this.#untold.push({ by, contestId, outcome, from: outcome.status === 'failed' ? now + TELL_LATER_MS : now })
  }

  /** What the work of a step has left to be told is told a little later. */
  planTelling(): void {
    const { deadlines, now } = this.#present
    if (this.#untold.length > 0) deadlines.soon('tradersTold', now + TELL_LATER_MS)
  }

  get areNone(): boolean {
    return this.#traders.length === 0
  }

  /** Whether a trader is still to be told of a swap. */
  get isWaiting(): boolean {
    return this.#untold.length > 0
  }

  /** Whether one is owed what became of a swap, is to be stopped, or may have to be started. */
  get haveTurn(): boolean {
    if (this.#untold.length > 0) return true
    for (const { runner } of this.#runs.values()) if (!this.#mayGoOn(runner)) return true
    if (this.areNone) return false
    for (const { contestId, phase } of this.#present.books.seats.values()) if (phase === 'live' && !this.#runs.has(contestId)) return true
    return false
  }

  /** Stops traders where a window has closed, and tells the others what became of their swaps. */
  onTurn(): Iterable<Proposal> {
    if (!this.#present.books.caughtUp) return NOTHING
    for (const [contestId, run] of this.#runs) {
      if (!this.#mayGoOn(run.runner)) {
        this.#noteKillSwitch(contestId)
        this.#stop(contestId)
      } else this.#planEnd(contestId, run)
    }
    return this.#untold.length === 0 ? NOTHING : this.#tellAll()
  }

  /**
   * What a trader answers to an outcome can have one of its own at once, a refusal: it is told of that one a little later, so that one
   * who always asks again does not do so for ever in one step.
   */
  *#tellAll(): Generator<Proposal> {
    const { now } = this.#present
    const notYet = this.#untold.findIndex(({ from }) => from > now)
    for (const told of this.#untold.splice(0, notYet < 0 ? this.#untold.length : notYet)) yield* this.#tell(told)
  }

  /** Contests whose window has opened, and in which nobody trades yet. */
  get opened(): readonly Seat[] {
    const { deadlines, books, now } = this.#present
    let opened = NONE
    if (!books.caughtUp) return opened
    for (const seat of books.seats.values()) {
      const { contestId, phase, startsAt, isRead } = seat
      if (phase === 'live' && startsAt !== undefined && startsAt <= now) this.#noteKillSwitch(contestId)
      if (phase !== 'live' || startsAt === undefined || !isRead || this.#runs.has(contestId) || !this.#mayTrade(contestId)) continue
      // What an earlier run of it sent may still land: a trader that cannot know of it would ask for the same again.
      if (this.#swaps.isUnderWayFor(contestId)) continue
      const opensAt = startsAt + OPENING_MARGIN_MS
      if (opensAt > now) deadlines.soon(`trade:${contestId}`, opensAt)
      else opened = [...opened, seat]
    }
    return opened
  }

  /** Tells whoever listens to prices. @param onSpoken told of what one of them said to it, before the next one is */
  onPrices(onSpoken: (spoken: Spoken) => void): void {
    for (const { runner, tellPrices } of this.#runs.values()) {
      const emissions = runner.during(tellPrices)
      if (emissions.length > 0) onSpoken({ type: 'spoken', runner, emissions })
    }
  }

  onHeard(heard: Heard): Iterable<Proposal> {
    switch (heard.type) {
      case 'period':
        return this.#runs.size === 0 ? NOTHING : this.#onPeriod(heard.purpose)
      case 'late':
        return this.#onLate(heard.late)
      case 'spoken':
        return this.#onSpoken(heard)
      case 'event':
      case 'contests':
        return NOTHING
    }
  }

  /** A period that some strategy asked for is over. */
  *#onPeriod(purpose: TaskKey): Generator<Proposal> {
    const isTold = this.#present.books.caughtUp
    for (const run of [...this.#runs.values()]) yield* this.#said(run, run.runner.period(purpose, { isTold }))
  }

  /** Whether one of them has emitted it, between inputs. */
  isOfOne({ callId }: InputOf<'late'>): boolean {
    return callId.startsWith(TRADER)
  }

  #onLate(late: InputOf<'late'>): Iterable<Proposal> {
    const { callId, result } = late
    const run = this.isOfOne(late) ? this.#runs.get(callId.slice(TRADER.length)) : undefined
    return run === undefined ? NOTHING : this.#said(run, [result])
  }

  #onSpoken({ runner, emissions }: Spoken): Iterable<Proposal> {
    const run = runner instanceof TraderRunner ? this.#runs.get(runner.contestId) : undefined
    return run?.runner === runner ? this.#said(run, emissions) : NOTHING
  }

  stop(): void {
    for (const contestId of [...this.#runs.keys()]) this.#stop(contestId)
  }

  /** Whether swaps of the contest still count, and the operator has not stopped them. */
  #mayTrade(contestId: string): boolean {
    const { books, now } = this.#present
    const seat = books.seats.get(contestId)
    return seat !== undefined && (seat.endsAt === undefined || now < seat.endsAt) && books.stopped !== 'all'
  }

  #noteKillSwitch(contestId: string): void {
    const { books, now } = this.#present
    const endsAt = books.seats.get(contestId)?.endsAt
    if (books.stopped !== 'all' || endsAt === undefined || now >= endsAt) return
    this.#options.plays.hindered(contestId, 'guard:KILL_SWITCH', 'the operator has stopped all swaps')
  }

  #mayGoOn({ strategy, contestId }: TraderRunner): boolean {
    return this.#mayTrade(contestId) && !this.#calls.isSuspended(strategy, contestId)
  }

  *#tell({ by, contestId, outcome }: Told): Generator<Proposal> {
    const run = this.#runs.get(contestId)
    if (run === undefined) return
    if (outcome.status === 'filled') yield* this.#said(run, run.runner.positions(this.#positions(contestId)))
    // Another strategy can swap in the same contest: what became of that is not this one's.
    if (by !== run.runner.strategy) return
    run.refusals = outcome.status === 'refused' ? run.refusals + 1 : 0
    if (run.refusals >= MOST_REFUSALS) {
      run.refusals = 0
      const thrown = new CornermanError('STRATEGY_INSISTS', `it asked ${MOST_REFUSALS} times in a row for what the guard refuses`)
      this.#calls.fault(run.runner.strategy, contestId, thrown)
    }
    yield* this.#said(run, run.runner.outcome(outcome))
  }

  /** Starts the trader of a contest whose window has opened. */
  *start(seat: Seat): Generator<Proposal> {
    const { contestId, mode } = seat
    const trader = this.#traders.find(({ modes }) => mode !== undefined && modes.includes(mode))
    if (trader === undefined) return
    const { deadlines, options } = this.#present
    const { newest, plays, unseenSpend, onLate } = this.#options
    if (this.#calls.isSuspended(trader.name, contestId)) {
      plays.hindered(contestId, 'suspended')
      return
    }
    plays.asked(contestId, { awaitsAnswer: false })
    const prices = new StrategyPrices(options.book)
    const runner = new TraderRunner(trader, {
      contest: contestViewOf(seat),
      positions: this.#positions(contestId),
      seed: options.config.seed,
      deadlines,
      world: {
        now: () => this.#present.now,
        prices: () => prices.asOf(newest.tick, this.#present.now),
        log: this.#calls.logOf(trader.name),
        blamed: this.#calls.blamed(trader.name),
        available: () => freeUsdc(this.#present.books, unseenSpend()),
        standings: () => readOnly(this.#present.books.seats.get(contestId)?.standings),
      },
      onLate: (emission) => onLate(TRADER + contestId, emission),
    })
    const run: Run = { runner, prices, tellPrices: () => prices.emit(newest.tick), refusals: 0, endsAt: undefined }
    this.#runs.set(contestId, run)
    this.#planEnd(contestId, run)
    yield* this.#said(run, runner.start(this.#present.n))
  }

  /** The end of a window may be told again, and be another. */
  #planEnd(contestId: string, run: Run): void {
    const { deadlines, books } = this.#present
    const endsAt = books.seats.get(contestId)?.endsAt
    if (endsAt === run.endsAt) return
    run.endsAt = endsAt
    if (endsAt === undefined) deadlines.drop(`tradeEnd:${contestId}`)
    else deadlines.set(`tradeEnd:${contestId}`, endsAt)
  }

  #stop(contestId: string): void {
    const run = this.#runs.get(contestId)
    this.#runs.delete(contestId)
    this.#present.deadlines.drop(`tradeEnd:${contestId}`)
    if (run !== undefined) this.#swaps.withdraw(run.runner.strategy, contestId)
    run?.runner.stop()
    run?.prices.close()
  }

  #positions(contestId: string) {
    const { options } = this.#present
    const { newest, portfolios } = this.#options
    return positionsOf(
      portfolios.open.get(contestId) ?? emptyPortfolio(contestId),
      (mint) => options.book.latestText(mint, newest.tick)?.price,
    )
  }

  *#said({ runner }: Run, emissions: readonly Emission[]): Generator<Proposal> {
    const { strategy: by, contestId } = runner
    for (const emission of emissions) {
      // A window can close before the step has come to stopping its trader.
      if (!this.#mayGoOn(runner)) return
      const intent = this.#calls.emitted(emission, readSwapIntent, runner)
      if (intent !== undefined) yield { by, actions: [{ ...intent, contestId }] }
      // An observable that has failed emits nothing more: the trader is started anew, until it is left alone.
      if (!emission.ok) this.#stop(contestId)
    }
  }
}

const NONE: readonly Seat[] = []
