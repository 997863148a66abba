import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { merge, NEVER, type Observable, Subject, Subscription } from 'rxjs'
import { TOKENS } from '../../../core/tokens.ts'
import type { Ordered } from '../../../dashboard/index.ts'
import {
  type Dex,
  HttpService,
  openDex,
  PriceFeed,
  pausesOf,
  type RequestBudget,
  RequestBudgets,
  type ServiceClock,
  SiblingBus,
  TokenDesk,
} from '../../../live/index.ts'
import { type OperatorOrder, type OperatorWord, type Pause, type PriceBook, pauseText, type Step } from '../../../pipeline/index.ts'
import type { BotConfig, Config } from '../../../strategy/config.ts'
import type { Logger } from '../../log.ts'
import { runName } from '../../runName.ts'
import type { ServiceAccess } from '../../service.ts'
import { explore } from './explore.ts'
import type { FleetBot } from './fleetBot.ts'
import type { SaidFor } from './followControl.ts'
import type { HostedBots, HostedBotsOptions, HostSettings } from './hostedBots.ts'
import type { HostView } from './hostView.ts'
import { type Ground, LiveBot } from './liveBot.ts'
import { MovingBot } from './movingBot.ts'
import { ordered } from './ordered.ts'
import { openServiceMapping, type ServiceMapping } from './serviceMapping.ts'

export type { FleetBot } from './fleetBot.ts'

// The composition root of live play: what the bots share is put together here, and each bot's own ports in `liveBot.ts`.

/** One host of several: loaded by whoever is one. */
export interface OpenedHost {
  readonly settings: HostSettings
  readonly open: (options: HostedBotsOptions) => HostedBots
}

export interface FleetOptions {
  readonly config: Config
  readonly access: ServiceAccess
  readonly dataDir: string
  readonly clock: ServiceClock
  readonly log: Logger
  /** What the operator last said of a bot: it holds from the first moment on. Default: play. */
  readonly saidFor?: SaidFor
  /** Where the config was read: what is isolated imports it again. */
  readonly configFile?: string
  /** Keeps every POST back, and keeps nothing. */
  readonly isDryRun?: boolean
  /** Finds out how modes are played: none is closed for what it comes to. */
  readonly isProbe?: boolean
  /** How the service's answers are read. Default: by the mapping of the config, or by what is found at no cost. */
  readonly mapping?: ServiceMapping
  /** As one host of several, which plays what it claims. Default: all bots, at once. */
  readonly host?: OpenedHost
  /** By bot: something has happened to its agent, and is to be read at once. */
  readonly wakes?: ReadonlyMap<string, Observable<unknown>>
}

/** All bots of a config on one service and one price feed. */
export class Fleet {
  readonly bots: readonly FleetBot[]
  /** Every step of every bot, and every change of a phase. */
  readonly change$ = new Subject<{ readonly bot: FleetBot; readonly step?: Step }>()
  /** What the price feed knows. */
  readonly book: PriceBook
  readonly #feed: PriceFeed
  readonly #dex: Dex
  readonly #budgets: RequestBudgets
  readonly #tokens: TokenDesk
  /** What the operator says, by the bot it is said of. */
  readonly #operators: ReadonlyMap<string, Subject<OperatorWord>>
  /** Where they are those of one host of several. */
  readonly #hosted: HostedBots | undefined
  readonly #stopBots: () => Promise<unknown>
  readonly #hearing = new Subscription()
  readonly #ended: Promise<unknown>
  /** Of what is asked for prices and tokens. */
  readonly marketBudget: RequestBudget
  #isDraining = false
  #saidFor: SaidFor
  #isStopped = false

  constructor(options: FleetOptions) {
    const {
      config,
      access,
      dataDir,
      clock,
      log,
      saidFor = () => ['resume'],
      isDryRun = false,
      isProbe = false,
      wakes = new Map(),
    } = options
    this.#saidFor = saidFor
    this.#operators = new Map(config.bots.map(({ name }) => [name, new Subject()]))
    mkdirSync(join(dataDir, 'bots'), { recursive: true })
    const { mints, tokens, everyMs } = config.market
    this.#budgets = new RequestBudgets(clock.steady, access.requestsPerMinute)
    this.marketBudget = this.#budgets.of(access.prices)
    this.#feed = new PriceFeed({
      ...access.prices,
      budget: this.marketBudget,
      mints: [...new Set([...[...TOKENS, ...tokens].map(({ mint }) => mint), ...mints])],
      everyMs,
      maxPriceAgeMs: Math.min(...config.bots.map(({ guard }) => guard.maxPriceAgeMs)),
      timeoutMs: access.timeoutMs,
      ...{ clock, steady: clock.steady },
      onTrouble: (reason) => (reason === undefined ? log.info('prices are back') : log.warn(`no prices: ${reason}; trying again, slower`)),
    })
    this.book = this.#feed.book
    this.#feed.start()
    this.#dex = openDex({
      ...access.swaps,
      budget: this.#budgets.of({ url: access.swaps.swapUrl, apiKey: access.swaps.apiKey }),
      ...{ timeoutMs: access.timeoutMs, clock, steady: clock.steady },
    })
    this.#tokens = new TokenDesk({
      budget: this.marketBudget,
      ...{ tokens, priceUrl: access.prices.url, apiKey: access.prices.apiKey, rpcUrl: access.swaps.rpcUrl, genesis: access.swaps.genesis },
      ...{ timeoutMs: access.timeoutMs, clock: clock.steady, log: (problem: string) => log.warn(problem) },
      file: isDryRun ? undefined : join(dataDir, 'tokens.json'),
    })
    void this.#tokens.start()
    const siblings = new SiblingBus()
    const mapping =
      options.mapping ??
      openServiceMapping({
        ...{ config, configFile: options.configFile, dataDir, log },
        explore: (http, signal) => explore(http, signal, { dataDir, service: access.url, clock: clock.steady, log }),
      })
    const pause$ = pausesOf({ bots: clock, steady: clock.steady, machine: clock.machine })
    this.#hearing.add(pause$.subscribe((pause) => log.warn({ code: 'PAUSED', ...pause }, pausedText(pause))))
    const shared = {
      ...{ config, access, dataDir, clock, log, isDryRun, isProbe, mapping, pause$ },
      ...{ configFile: options.configFile, feed: this.#feed, dex: this.#dex, tokens: this.#tokens },
    }
    const tell = (bot: FleetBot, step?: Step) => this.change$.next(step === undefined ? { bot } : { bot, step })
    const run = runName(clock.now())
    const open = (own: BotConfig, ground?: Ground, shownAs?: FleetBot): LiveBot => {
      const { name } = own
      const bot: LiveBot = new LiveBot(own, {
        ...{ ...shared, siblings: siblings.portOf(name), wake$: merge(wakes.get(name) ?? NEVER, this.#hosted?.wakes.of(name) ?? NEVER) },
        // A bot that comes back to a host begins another recording there.
        runName: ground === undefined ? run : runName(clock.now()),
        ...(ground === undefined ? {} : { ground }),
        onChange: (step) => tell(shownAs ?? bot, step),
        operator$: this.#operators.get(name) ?? NEVER,
        said: () => (this.#isDraining ? [...this.#saidFor(name), 'drain'] : this.#saidFor(name)),
      })
      return bot
    }
    if (options.host === undefined) {
      const live = config.bots.map((own) => open(own))
      this.bots = live
      this.#stopBots = () => Promise.all(live.map((bot) => bot.stop()))
      this.#ended = Promise.all(live.map((bot) => bot.run()))
      return
    }
    const moving = config.bots.map((own) => {
      const bot: MovingBot = new MovingBot({
        config: own,
        open: (ground, shownAs) => open(own, ground, shownAs),
        onChange: () => tell(bot),
      })
      return bot
    })
    this.bots = moving
    const hosted = options.host.open({
      ...{ settings: options.host.settings, bots: moving, dataDir, keptDays: config.journal.retentionDays, log },
      carryOut: (bot, order) => ordered({ fleet: this, clock }, bot, order),
      ask: async (bot, onTraffic) => {
        const { url, keys, timeoutMs } = access
        const http = new HttpService({ url, agentKey: keys.get(bot) ?? '', timeoutMs, clock, isReadOnly: true, onTraffic })
        await http.raw('read', 'agent.me', null).catch(() => {})
        await http.close()
      },
      onHosts: (alive) => this.#budgets.divide(alive),
    })
    for (const [bot, wake$] of wakes)
      this.#hearing.add(
        wake$.subscribe(() => {
          if (!hosted.isHere(bot)) hosted.wakes.wake(bot)
        }),
      )
    this.#hosted = hosted
    this.#stopBots = () => hosted.stop()
    this.#ended = hosted.ended
  }

  /** What is seen of all hosts of a fleet; undefined where this is none. */
  get view(): HostView | undefined {
    return this.#hosted?.view
  }

  /** Resolves once every bot has drained or stopped. */
  async ended(): Promise<void> {
    await this.#ended
  }

  /** No new entries; resolves nothing: `ended` does once all is finished. */
  drain(): void {
    this.#isDraining = true
    if (this.#hosted !== undefined) {
      void this.#hosted.leave((bot) => this.#operators.get(bot)?.next('drain'))
      return
    }
    for (const operator$ of this.#operators.values()) operator$.next('drain')
  }

  /** What the operator says now: bots that start later hear of it too. To be told the same again changes nothing. */
  obey(saidFor: SaidFor): void {
    this.#saidFor = saidFor
    for (const [bot, operator$] of this.#operators) for (const said of saidFor(bot)) operator$.next(said)
  }

  /** Of a bot that another host of the fleet plays: has that one do it. Undefined where it is this one's. */
  orderElsewhere(bot: string, order: OperatorOrder): Promise<Ordered> | undefined {
    return this.#hosted === undefined || this.#hosted.isHere(bot) ? undefined : this.#hosted.order(bot, order)
  }

  /** @returns whether the bot hears of it: one that does not play does nothing */
  order(bot: string, order: OperatorOrder): boolean {
    const operator$ = this.#operators.get(bot)
    if (operator$?.observed !== true) return false
    operator$.next(order)
    return true
  }

  /** Stops at once; what is under way is looked up by the next run. */
  async stop(): Promise<void> {
    if (this.#isStopped) return
    this.#isStopped = true
    for (const operator$ of this.#operators.values()) operator$.complete()
    this.#hearing.unsubscribe()
    this.#budgets.close()
    await this.#feed.close()
    await this.#dex.close()
    await this.#tokens.close()
    await this.#stopBots()
  }
}

const pausedText = (pause: Pause): string =>
  `${pauseText(pause)}: what was due meanwhile comes late. Look at the machine's load and memory, and whether it sleeps`
