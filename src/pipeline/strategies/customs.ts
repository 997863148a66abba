import type { ServiceEvent } from '../../contract/events.ts'
import { readAction } from '../../strategy/action.ts'
import type { CustomStreams, Strategy } from '../../strategy/define.ts'
import type { BotView } from '../../strategy/view.ts'
import type { Seat } from '../books/books.ts'
import { contestViewOf } from '../books/views.ts'
import { NOTHING } from '../flow/each.ts'
import type { Heard, Proposal } from '../flow/proposal.ts'
import type { Plays } from '../playable/plays.ts'
import type { NewestPrices } from '../prices/newestPrices.ts'
import { StrategyPrices } from '../prices/strategyPrices.ts'
import type { InputOf, StrategyResult } from '../protocol/input.ts'
import type { TaskKey } from '../protocol/taskKey.ts'
import type { Present } from '../state/present.ts'
import type { Calls } from './calls.ts'
import { CustomRunner } from './customRunner.ts'
import type { Emission, Spoken } from './streamRunner.ts'

const CUSTOM = 'custom:'

interface CustomsOptions {
  readonly present: Present
  readonly strategies: readonly Strategy[]
  readonly newest: NewestPrices
  readonly plays: Plays
  readonly calls: Calls
  readonly view: () => BotView
  /** Told of what one emits between inputs. */
  readonly onLate: (callId: string, result: StrategyResult) => void
}

interface Custom {
  readonly runner: CustomRunner
  readonly prices: StrategyPrices
  /** The contests it was told have gone live. */
  readonly live: Set<string>
}

/** The bot's custom strategies: each begins once the bot has caught up, and hears of everything for as long as the bot lives. */
export class Customs {
  readonly #present: Present
  readonly #newest: NewestPrices
  readonly #plays: Plays
  readonly #calls: Calls
  readonly #customs: readonly Custom[]
  readonly #view: () => BotView
  /** What they hear of once the bot has caught up: every event in order, and of contests the newest. */
  readonly #heldEvents: ServiceEvent[] = []
  #owesContests = false

  constructor({ present, strategies, newest, plays, calls, view, onLate }: CustomsOptions) {
    this.#present = present
    this.#newest = newest
    this.#plays = plays
    this.#calls = calls
    this.#view = view
    const { book, config } = present.options
    this.#customs = strategies
      .filter((strategy) => strategy.kind === 'custom')
      .map((strategy) => {
        const prices = new StrategyPrices(book)
        const world = {
          now: () => present.now,
          prices: () => prices.asOf(newest.tick, present.now),
          state: view,
          log: calls.logOf(strategy.name),
          blamed: calls.blamed(strategy.name),
        }
        const late = (emission: Emission) => onLate(CUSTOM + strategy.name, emission)
        const runner = new CustomRunner(strategy, { seed: config.seed, deadlines: present.deadlines, world, onLate: late })
        return { prices, runner, live: new Set() }
      })
  }

  get areNone(): boolean {
    return this.#customs.length === 0
  }

  /** Tells whoever listens to prices. @param onSpoken told of what one of them said to it, before the next one is */
  onPrices(onSpoken: (spoken: Spoken) => void): void {
    const { tick } = this.#newest
    for (const { runner, prices } of this.#customs) {
      if (!runner.started) continue
      const emissions = runner.during(() => prices.emit(tick))
      if (emissions.length > 0) onSpoken({ type: 'spoken', runner, emissions })
    }
  }

  onHeard(heard: Heard): Iterable<Proposal> {
    switch (heard.type) {
      case 'event':
        return this.#onEvent(heard.event)
      case 'contests':
        return this.#onContests()
      case 'period':
        return this.#onPeriod(heard.purpose)
      case 'late':
        return this.#onLate(heard.late)
      case 'spoken':
        return heard.runner instanceof CustomRunner ? this.#said(heard.runner, heard.emissions) : NOTHING
    }
  }

  /** Whether one of them listens to the stream now. */
  hear(stream: keyof CustomStreams): boolean {
    return this.#customs.some(({ runner }) => runner.hears(stream))
  }

  /** Tells those that listen, one after the other. */
  *tell<K extends keyof CustomStreams>(stream: K, told: () => CustomStreams[K]): Generator<Proposal> {
    for (const { runner } of this.#customs) if (runner.hears(stream)) yield* this.#said(runner, runner.tell(stream, told()))
  }

  /** Which contests to enter: each sees what the one before has entered. */
  decide(): Iterable<Proposal> {
    return this.tell('policyTurn$', this.#view)
  }

  /** A contest that is played by swaps is live: each is told of it once. */
  *open(seat: Seat): Generator<Proposal> {
    for (const { runner, live } of this.#customs) {
      if (!runner.hears('contest$') || live.has(seat.contestId)) continue
      live.add(seat.contestId)
      this.#plays.asked(seat.contestId, { awaitsAnswer: false })
      yield* this.#said(runner, runner.tell('contest$', contestViewOf(seat)))
    }
  }

  /** Whether one of them has emitted it, between inputs. */
  isOfOne({ callId }: InputOf<'late'>): boolean {
    return callId.startsWith(CUSTOM)
  }

  /** Whether one of them has not begun, or is owed what was held back. */
  get haveTurn(): boolean {
    return this.#customs.some(({ runner }) => !runner.started) || this.#owesContests || this.#heldEvents.length > 0
  }

  /** Tells what was held back while the bot was behind, and begins those that have not begun. */
  onTurn(): Iterable<Proposal> {
    return !this.#present.books.caughtUp ? NOTHING : this.#begin()
  }

  stop(): void {
    for (const { runner, prices } of this.#customs) {
      runner.stop()
      prices.close()
    }
  }

  *#begin(): Generator<Proposal> {
    if (this.#heldEvents.length > 0) for (const event of this.#heldEvents.splice(0)) yield* this.tell('events$', () => event)
    if (this.#owesContests) yield* this.#onContests()
    for (const { runner } of this.#customs)
      if (!runner.started && !this.#calls.isSuspended(runner.name)) yield* this.#said(runner, runner.start(this.#present.n))
  }

  /** What they made of it while the bot is behind would be refused. */
  #onEvent(event: ServiceEvent): Iterable<Proposal> {
    if (this.#present.books.caughtUp) return this.tell('events$', () => event)
    if (this.#customs.some(({ runner }) => runner.started)) this.#heldEvents.push(event)
    return NOTHING
  }

  *#onContests(): Generator<Proposal> {
    this.#owesContests = !this.#present.books.caughtUp
    if (this.#owesContests) return
    const contests = [...this.#present.books.seats.values()].map(contestViewOf)
    for (const { live } of this.#customs)
      for (const contestId of live) if (!this.#present.books.seats.has(contestId)) live.delete(contestId)
    yield* this.tell('contests$', () => contests)
  }

  *#onPeriod(purpose: TaskKey): Generator<Proposal> {
    const isTold = this.#present.books.caughtUp
    for (const { runner } of this.#customs) if (runner.started) yield* this.#said(runner, runner.period(purpose, { isTold }))
  }

  *#onLate({ callId, result }: InputOf<'late'>): Generator<Proposal> {
    for (const { runner } of this.#customs) if (CUSTOM + runner.name === callId) yield* this.#said(runner, [result])
  }

  *#said(runner: CustomRunner, emissions: readonly Emission[]): Generator<Proposal> {
    const { name: by } = runner
    for (const emission of emissions) {
      if (!emission.ok) runner.onFailure()
      if (this.#calls.isSuspended(by)) return
      const action = this.#calls.emitted(emission, readAction, { strategy: by, contestId: undefined })
      if (action !== undefined) yield { by, actions: [action] }
    }
  }
}
