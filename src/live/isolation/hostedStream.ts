import { invariant } from '../../core/error.ts'
import { readOnly } from '../../core/readOnly.ts'
// Not by the pipeline's door: such a process has no use for the guard, nor memory for what it needs.
import { Deadlines } from '../../pipeline/deadlines.ts'
import type { PriceHistory } from '../../pipeline/prices/priceHistory.ts'
import { StrategyPrices } from '../../pipeline/prices/strategyPrices.ts'
import type { Moment } from '../../pipeline/protocol/ports.ts'
import { CustomRunner } from '../../pipeline/strategies/customRunner.ts'
import type { Emission } from '../../pipeline/strategies/streamRunner.ts'
import { TraderRunner } from '../../pipeline/strategies/traderRunner.ts'
import type { Strategy, StrategyLog } from '../../strategy/define.ts'
import type { BotView } from '../../strategy/view.ts'
import type { Feed, Shown, World } from './messages.ts'

export interface HostedStreamOptions {
  readonly strategy: Strategy
  readonly seed: number
  readonly shown: Shown
  readonly world: World
  readonly book: PriceHistory
  readonly log: StrategyLog
  readonly moment: () => Moment
  readonly onEmission: (emission: Emission) => void
  readonly onWake: (at: number | undefined) => void
}

/** In its process: the observables of a trader in one contest, or of a custom strategy, with the runners of the bot's own thread. */
export class HostedStream {
  readonly #options: HostedStreamOptions
  readonly #deadlines = new Deadlines()
  readonly #prices: StrategyPrices
  readonly #runner: TraderRunner | CustomRunner
  #world: World
  #wakeAt: number | undefined

  constructor(options: HostedStreamOptions) {
    this.#options = options
    this.#world = options.world
    this.#prices = new StrategyPrices(options.book)
    this.#runner = this.#runnerOf(options)
  }

  start(): void {
    this.#runner.start(this.#options.moment().n)
  }

  feed(feed: Feed, world: World): void {
    this.#world = world
    const runner = this.#runner
    if (feed.of === 'tick') runner.during(() => this.#prices.emit(this.#options.moment().tick))
    else if (feed.of === 'time') this.#playPeriods(feed)
    else if (runner instanceof CustomRunner) {
      if ('told' in feed) runner.tell(feed.of, feed.told)
    } else if (feed.of === 'positions') runner.positions(feed.positions)
    else if (feed.of === 'outcome') runner.outcome(feed.outcome)
  }

  /** Says when the next period ends, where that has changed. */
  tellWake(): void {
    const next = this.#deadlines.next()
    if (next === this.#wakeAt) return
    this.#wakeAt = next
    this.#options.onWake(next)
  }

  stop(): void {
    this.#runner.stop()
    this.#prices.close()
  }

  #playPeriods({ isTold }: Extract<Feed, { of: 'time' }>): void {
    const now = this.#options.moment().at
    for (const purpose of this.#deadlines.takeDue(now)) this.#runner.period(purpose, { isTold })
    this.#wakeAt = undefined
  }

  #runnerOf({ strategy, shown, seed, log, moment, onEmission }: HostedStreamOptions): TraderRunner | CustomRunner {
    const { contest, positions } = shown
    const prices = () => this.#prices.asOf(moment().tick, moment().at)
    const common = { seed, deadlines: this.#deadlines, onLate: onEmission }
    const world = { now: () => moment().at, prices, log }
    // Emissions are told as they come, since the bot takes each as an input of its own.
    if (strategy.kind === 'trade') {
      invariant(contest !== undefined && positions !== undefined, 'a trader is opened in a contest')
      const available = () => this.#world.available
      const standings = () => readOnly(this.#world.standings)
      const told = { ...world, available, standings }
      return new TraderRunner({ ...strategy, external: true }, { ...common, contest, positions, world: told })
    }
    invariant(strategy.kind === 'custom', 'only observables are opened')
    const state = () => readOnly(this.#world.state) as BotView
    return new CustomRunner({ ...strategy, external: true }, { ...common, world: { ...world, state } })
  }
}
