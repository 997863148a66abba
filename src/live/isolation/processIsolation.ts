import type { Subscription } from 'rxjs'
import type { Clock } from '../../core/clock.ts'
import { systemClock } from '../../core/systemClock.ts'
import { type Isolation, type Note, type Present, type PriceBook, strategyTimeoutMs } from '../../pipeline/index.ts'
import type { BotConfig } from '../../strategy/config.ts'
import type { Strategy } from '../../strategy/define.ts'
import { isolationOf } from '../../strategy/isIsolated.ts'
import { expectPermissionModel, grantsFor } from './grants.ts'
import { printOf } from './printOf.ts'
import { standInFor } from './standIn.ts'
import { StrategyHost } from './strategyHost.ts'
import { type Lane, type LaneListener, StrategyProcess } from './strategyProcess.ts'

/** By so much a process that is stuck is ended before the bot's own patience ends, so that this is what the bot hears of first; of short patience a tenth. */
const MARGIN_MS = 500

export interface ProcessIsolationOptions {
  /** The config file, absolute: each process imports it itself. */
  readonly file: string
  /** Where the journals, recordings and runs are: no process reads there. */
  readonly dataDir: string
  readonly bot: BotConfig
  readonly book: PriceBook
  readonly clock: Clock
  readonly log: (note: Note) => void
  /** Default: a little less than the bot's own patience. */
  readonly stuckAfterMs?: number
}

/**
 * Runs the isolated strategies of a bot in a process that has nothing of the bot's: one that is stuck holds up no reveal, and one that is
 * hostile finds no key. They share one, but for those that are given something of their own, that ask for one, or that have ended one.
 */
export class ProcessIsolation implements Isolation {
  readonly #options: ProcessIsolationOptions
  readonly #hosts: StrategyHost[] = []
  readonly #ticks: Subscription[] = []
  readonly #processes = new Set<StrategyProcess>()
  /** Places of those that are suspected to have ended a process that they shared. */
  readonly #apart = new Set<number>()
  #shared: StrategyProcess | undefined

  /** @throws CornermanError `ISOLATION_UNSUPPORTED` where the Node in use has no permission model */
  constructor(options: ProcessIsolationOptions) {
    expectPermissionModel()
    this.#options = options
  }

  /** @throws CornermanError `CONFIG_INVALID` where the strategy is to read what no strategy may */
  standInFor(strategy: Strategy, place: number, present: Present): Strategy {
    const { book, clock, log } = this.#options
    const host = new StrategyHost({
      ...{ name: strategy.name, book, present, clock, watch: systemClock, log },
      open: (listener) => this.#open(strategy, place, present, listener),
    })
    this.#hosts.push(host)
    this.#ticks.push(present.tick$.subscribe(() => host.tick()))
    return standInFor(strategy, host)
  }

  /**
   * Resolves once every strategy can be asked.
   *
   * @throws CornermanError `STRATEGY_UNFIT` where the config does not load in a process of its own, or gives other strategies there
   */
  async ready(): Promise<void> {
    await Promise.all(this.#hosts.map((host) => host.ready()))
  }

  /** The processes that there are, by their ids. */
  get pids(): readonly number[] {
    return [...this.#processes].flatMap(({ pid }) => pid ?? [])
  }

  /** Ends the processes. */
  async close(): Promise<void> {
    for (const tick of this.#ticks.splice(0)) tick.unsubscribe()
    await Promise.all(this.#hosts.splice(0).map((host) => host.close()))
    await Promise.all([...this.#processes].map((one) => one.close()))
  }

  #open(strategy: Strategy, place: number, present: Present, listener: LaneListener): Lane {
    const { bot } = this.#options
    const wanted = isolationOf(bot, strategy) ?? { own: false, read: [], env: [] }
    const isApart = wanted.own || wanted.read.length + wanted.env.length > 0 || this.#apart.has(place)
    const hosting = { place, fingerprint: printOf(bot, place) }
    if (isApart) return this.#start(strategy, present).add(hosting, listener)
    if (this.#shared === undefined || this.#shared.isEnded) this.#shared = this.#start(strategy, present)
    return this.#shared.add(hosting, listener)
  }

  #start(strategy: Strategy, present: Present): StrategyProcess {
    const { file, dataDir, bot, book, log } = this.#options
    const patienceMs = strategyTimeoutMs(bot)
    const started = new StrategyProcess({
      ...{ start: { file, bot: bot.name }, book, clock: systemClock, moment: present.moment },
      grants: grantsFor(strategy.name, isolationOf(bot, strategy) ?? { own: false, read: [], env: [] }, { file, bot: bot.name, dataDir }),
      stuckAfterMs: this.#options.stuckAfterMs ?? patienceMs - Math.min(MARGIN_MS, patienceMs / 10),
      onLine: (level, message, strategies) => log({ level, message, fields: { strategy: strategies } }),
      onEnd: (ended, suspects) => {
        this.#processes.delete(ended)
        for (const suspect of suspects) this.#apart.add(suspect)
      },
    })
    this.#processes.add(started)
    return started
  }
}
