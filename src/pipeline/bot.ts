import { Subject } from 'rxjs'
import { Coordinator } from './coordinator/coordinator.ts'
import type { Heard } from './flow/proposal.ts'
import { guardViewOf } from './guardView.ts'
import { PARTS } from './parts/index.ts'
import { modeStatusesOf } from './playable/modeStatus.ts'
import type { Input, InputBody } from './protocol/input.ts'
import type { Step } from './protocol/step.ts'
import type { TaskKey } from './protocol/taskKey.ts'
import type { BotStatus } from './state/botStatus.ts'
import { type BotOptions, Present } from './state/present.ts'
import type { Strategies } from './strategies/strategies.ts'
import { equityOf } from './swaps/equity.ts'
import { unsoldProfitOf } from './swaps/sweeps.ts'

/**
 * Everything that a bot knows, plans and has under way, in parts. An input is worked off in three stages, between which strategies speak
 * (`flow/decided.ts`): `take`, `tend`, `close`. It has no clock, no I/O and no randomness of its own.
 */
export class Bot {
  readonly #present: Present
  readonly #coordinator: Coordinator
  readonly strategies: Strategies
  /** Tells strategies what they hear at once, while an input is taken in. */
  readonly heard$ = new Subject<Heard>()
  readonly #tendsAll: boolean
  #due: readonly TaskKey[] = []
  /** The books when parts were tended last, and when strategies had their turn. */
  #tendedBooks: Present['books'] | undefined
  #turnBooks: Present['books'] | undefined
  #wakeAt: number | undefined

  /** @param onLate enters what a strategy emits between inputs as an input of its own */
  constructor(options: BotOptions, onLate: (late: Extract<InputBody, { type: 'late' }>) => void, { tendsAll = false } = {}) {
    const present = new Present(options, (fact) => this.#coordinator.tell(fact))
    this.#present = present
    this.#tendsAll = tendsAll
    this.#coordinator = new Coordinator(PARTS, {
      present,
      onLate: (callId, result) => onLate({ type: 'late', callId, result }),
      hear: (heard) => this.heard$.next(heard),
    })
    this.strategies = this.#coordinator.stores.strategies
  }

  /**
   * Takes an input in; strategies hear of it at once.
   *
   * @returns whether anything is to be made of it: nothing is of nearly every price
   */
  take(input: Input): boolean {
    const present = this.#present
    present.step = present.step.next(input)
    const before = present.books
    return this.#coordinator.named(() => {
      this.#coordinator.begin(input)
      this.#coordinator.take(input)
      this.#due = present.deadlines.takeDue(input.at)
      if (input.type !== 'prices') return true
      const isQuiet = this.#due.length === 0 && present.step.isQuiet && present.books === before && !this.strategies.isWaiting
      return !isQuiet || present.deadlines.next() !== this.#wakeAt
    })
  }

  /**
   * Does what the framework does of its own accord with an input that was taken in, before strategies have their turn.
   *
   * @returns whether one of them may have something to say
   */
  tend(): boolean {
    const { books } = this.#present
    const isDue = this.#due.length > 0
    return this.#coordinator.named(() => {
      // Before anything is made of the figures that are known.
      this.#coordinator.due(this.#due)
      this.#coordinator.tend(this.#tendsAll || isDue || books !== this.#tendedBooks)
      this.#tendedBooks = this.#present.books
      const hasTurn = this.#tendsAll || isDue || this.#present.books !== this.#turnBooks || this.strategies.haveTurn
      this.#turnBooks = this.#present.books
      return hasTurn || this.#coordinator.wasCalled('strategies')
    })
  }

  /** Makes the step of everything that has come of the input, once strategies have spoken. */
  close(): Step {
    const present = this.#present
    return this.#coordinator.named(() => {
      this.#coordinator.close()
      this.#wakeAt = present.deadlines.next()
      return present.step.finish({ wakeAt: this.#wakeAt, drained: this.#isDrained() })
    })
  }

  /** Takes an input of a bot that does not play. */
  fold(input: Input): void {
    this.take(input)
    this.tend()
    this.close()
  }

  stop(): void {
    this.#coordinator.stop()
  }

  get status(): BotStatus {
    const present = this.#present
    const { stores } = this.#coordinator
    const { answers, counts, custody, figures, intents, modes, portfolios, prices, strategies, swaps, sweeps } = stores
    const { books } = present
    const { reservations, unseenCash } = figures
    const sources = { present, portfolios, prices, unseenCash }
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
      strategyOf: (contestId) => stores.attribution.of(contestId),
      actions: {
        ...{ ...counts, unknown: intents.unknown + swaps.unknown },
        get unknownKeys() {
          return intents.unknownKeys
        },
      },
      reveals: { due: counts.revealed + counts.missed + this.#revealsDue(), done: counts.revealed },
      strayAnswers: answers.count,
      incompleteAnswers: answers.incomplete,
      unnamedEntries: stores.unnamed.now,
      lifecycleBreaks: present.lifecycleBreaks,
      overdueReveals: custody.troubled,
      missingMoney: stores.missing.missing,
      clockGapMs: present.clockGapMs,
      lastPause: stores.plays.lastPause,
      suspended: strategies.calls.suspended,
      path: stores.path.path,
      // Worked out where it is asked for: the rest of a status is looked at with every step.
      get modes() {
        return modeStatusesOf(modes, present)
      },
      today: () => this.#today(),
      reserved: { actions: reservations.pendingCount, stake: reservations.pendingStake, risk: reservations.pendingRisk },
    }
  }

  #today(): ReturnType<BotStatus['today']> {
    const { stores } = this.#coordinator
    const { lostToday, swapLoss, inPlay } = guardViewOf(this.#present, stores, 'framework')
    if (inPlay === undefined || swapLoss === undefined) return undefined
    return { lost: lostToday + swapLoss, inPlay, reserved: stores.figures.reservations.pendingRisk }
  }

  #isDrained(): boolean {
    const { runMode, caughtUp } = this.#present.books
    // Before it has caught up a bot may hold more than its books show.
    return runMode === 'draining' && caughtUp && this.#coordinator.isIdle
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
