import type { Subscription } from 'rxjs'
import type { Clock } from '../../core/clock.ts'
import { systemClock } from '../../core/systemClock.ts'
import { CALL_TIMEOUT_MS, type Isolation, type Note, type Present, type PriceBook } from '../../pipeline/index.ts'
import type { BotConfig } from '../../strategy/config.ts'
import type { Strategy } from '../../strategy/define.ts'
import { printOf } from './printOf.ts'
import { standInFor } from './standIn.ts'
import { StrategyHost } from './strategyHost.ts'

/** A little before the bot's own patience ends, so that a worker that is stuck is what the bot hears of first. */
const STUCK_MS = CALL_TIMEOUT_MS - 500

export interface WorkerIsolationOptions {
  /** The config file: each worker imports it itself. */
  readonly file: string
  readonly bot: BotConfig
  readonly book: PriceBook
  readonly clock: Clock
  readonly log: (note: Note) => void
  /** Default: 9.5 s. */
  readonly stuckAfterMs?: number
}

/** Runs each isolated strategy of a bot in a worker of its own: one that is stuck holds up nobody else. */
export class WorkerIsolation implements Isolation {
  readonly #options: WorkerIsolationOptions
  readonly #hosts: StrategyHost[] = []
  readonly #ticks: Subscription[] = []

  constructor(options: WorkerIsolationOptions) {
    this.#options = options
  }

  standInFor(strategy: Strategy, place: number, present: Present): Strategy {
    const { file, bot, book, clock, log, stuckAfterMs = STUCK_MS } = this.#options
    const start = { file, bot: bot.name, place, fingerprint: printOf(bot, place) }
    const host = new StrategyHost({ name: strategy.name, start, book, present, clock, watch: systemClock, stuckAfterMs, log })
    this.#hosts.push(host)
    this.#ticks.push(present.tick$.subscribe(() => host.tick()))
    return standInFor(strategy, host)
  }

  /**
   * Resolves once every worker can be asked.
   *
   * @throws CornermanError `STRATEGY_UNFIT` where the config does not load in a worker, or gives other strategies there
   */
  async ready(): Promise<void> {
    await Promise.all(this.#hosts.map((host) => host.ready()))
  }

  /** Ends the workers. */
  async close(): Promise<void> {
    for (const tick of this.#ticks.splice(0)) tick.unsubscribe()
    await Promise.all(this.#hosts.splice(0).map((host) => host.close()))
  }
}
