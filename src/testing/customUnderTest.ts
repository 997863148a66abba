import { BehaviorSubject } from 'rxjs'
import type { ServiceEvent } from '../contract/events.ts'
import { keyedRandom } from '../core/random.ts'
import type { Mint } from '../core/tokens.ts'
import { heardOf, subjectsOfStreams } from '../pipeline/index.ts'
import type { Action } from '../strategy/action.ts'
import type { CustomStrategy } from '../strategy/define.ts'
import type { BotView, ContestView } from '../strategy/view.ts'
import { type DraftWorld, draftContext, type PredictWorld, predictContext } from './contexts.ts'
import { PriceWorld, priceText, silentLog } from './priceWorld.ts'
import { botView, contestView } from './views.ts'

/**
 * A `defineStrategy` strategy that has just started, over a real price book and a virtual clock. What it asks for is
 * collected; the test says what happens.
 *
 * @example
 * const strategy = new CustomUnderTest(mine())
 * strategy.wait(5)
 * expect(strategy.actions).toEqual([enqueue({ mode: 'draft_basket', stake: usdc('1'), durationSec: 20 })])
 */
export class CustomUnderTest {
  /** All that it has asked for, in order. */
  readonly actions: Action[] = []
  /** True once its stream has completed. */
  ended = false
  readonly #world = new PriceWorld()
  readonly #view$: BehaviorSubject<BotView>
  readonly #streams = subjectsOfStreams()

  /** @param view what the bot knows of itself at first; by default it has 1,000 USDC and nothing open */
  constructor(strategy: CustomStrategy, view: Partial<BotView> = {}) {
    this.#view$ = new BehaviorSubject(botView(view))
    strategy
      .run({
        params: undefined,
        prices: this.#world.latest(),
        clock: this.#world.clock,
        random: keyedRandom(7, 'test'),
        log: silentLog,
        ...heardOf(this.#streams),
        every: (seconds) => this.#world.every(seconds),
        state: () => this.#view$.value,
      })
      .subscribe({
        next: (action) => this.actions.push(action),
        complete: () => {
          this.ended = true
        },
      })
  }

  /** Seconds go by. @returns what it asked for meanwhile */
  wait(seconds: number): readonly Action[] {
    const { clock } = this.#world
    return this.#during(() => clock.advanceTo(clock.now() + seconds * 1000))
  }

  /** Prices of this moment in USD. @returns what it asked for */
  prices(prices: Readonly<Record<Mint, string | number>>): readonly Action[] {
    const known = new Map(Object.entries(prices).map(([mint, price]) => [mint, priceText(price)]))
    return this.#during(() => this.#world.tell(known))
  }

  /** The bot's own books change; where its contests do, it is told of them. @returns what it asked for */
  know(change: Partial<BotView>): readonly Action[] {
    return this.#during(() => {
      this.#view$.next({ ...this.#view$.value, ...change })
      if (change.contests !== undefined) this.#streams.contests$.next(change.contests)
    })
  }

  /** An event of the service. @returns what it asked for */
  tell<T extends ServiceEvent['type']>(type: T, data: Extract<ServiceEvent, { type: T }>['data']): readonly Action[] {
    // The data is of the type: the compiler cannot follow the pairing.
    const event = { id: `${type} ${this.actions.length}`, type, data, createdAt: this.#world.clock.now() } as ServiceEvent
    return this.#during(() => this.#streams.events$.next(event))
  }

  /**
   * It is the bot's turn to pick, and the strategy hears of it by `draftTurn$`. @returns what it asked for
   *
   * @example
   * const strategy = new CustomUnderTest(mine())
   * strategy.draftTurn({ prices: { [SOL_MINT]: [], [JUP]: [] } })
   */
  draftTurn(world: DraftWorld = {}): readonly Action[] {
    const { contest, draft } = draftContext(world)
    return this.#during(() => this.#streams.draftTurn$.next({ contest, draft }))
  }

  /** A price can be committed to, and the strategy hears of it by `predictionDue$`. @returns what it asked for */
  predictionDue(world: PredictWorld = {}): readonly Action[] {
    return this.#during(() => this.#streams.predictionDue$.next(predictContext(world).contest))
  }

  /** A contest that is played by swaps goes live, and the strategy hears of it by `contest$`. @returns what it asked for */
  contest(contest: Partial<ContestView> = {}): readonly Action[] {
    return this.#during(() => this.#streams.contest$.next(contestView({ phase: 'live', ...contest })))
  }

  /** Queue policies would be asked, and the strategy hears of it by `policyTurn$`. @returns what it asked for */
  policyTurn(): readonly Action[] {
    return this.#during(() => this.#streams.policyTurn$.next(this.#view$.value))
  }

  #during(happens: () => void): readonly Action[] {
    const before = this.actions.length
    happens()
    return this.actions.slice(before)
  }
}
