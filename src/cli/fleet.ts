import { randomBytes } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { Subject, type Subscription, startWith } from 'rxjs'
import type { Clock } from '../core/clock.ts'
import { CornermanError, messageOf } from '../core/error.ts'
import { TOKENS } from '../core/tokens.ts'
import {
  FileRecorder,
  type FileRecorderOptions,
  HttpService,
  isKeyRefused,
  JupiterSwapper,
  Poller,
  PriceFeed,
  SiblingBus,
  SqliteJournal,
  seal,
} from '../live/index.ts'
import { type BotStatus, type OperatorCommand, pipeline, type Step } from '../pipeline/index.ts'
import type { BotConfig, Config } from '../strategy/config.ts'
import { fingerprintOf } from '../strategy/fingerprint.ts'
import { type KeptBack, withoutPosts } from './dryRun.ts'
import type { Logger } from './log.ts'
import type { ServiceAccess } from './service.ts'
import { softwareVersions } from './software.ts'

// The composition root of live play: every port of every bot is put together here.

const IDLE_POLL_MS = 2000
const BUSY_POLL_MS = 1000
const MAX_WAIT_MS = 15_000
/** What swaps pay validators; each bot's guard has the last word. */
const FEES = { priorityLevel: 'medium', maxPriorityFeeLamports: 1_000_000n } as const

export interface FleetOptions {
  readonly config: Config
  readonly access: ServiceAccess
  readonly dataDir: string
  readonly clock: Clock
  readonly log: Logger
  /** What the operator last said: it holds from the first moment on. Default: play. */
  readonly command?: OperatorCommand
  /** Keeps every POST back, and keeps nothing. */
  readonly isDryRun?: boolean
}

export type BotPhase = 'starting' | 'running' | 'drained' | 'stopped'

/** One bot of the fleet, for reports and screens. */
export interface FleetBot {
  readonly name: string
  readonly config: BotConfig
  phase: BotPhase
  agentId: string | undefined
  /** The folder of its recording; undefined where it keeps none. */
  recording: string | undefined
  /** Why it stopped before its time. */
  failure: CornermanError | undefined
  status(): BotStatus | undefined
  /** What a dry run kept back; undefined in any other run. */
  keptBack: (() => readonly KeptBack[]) | undefined
}

/** All bots of a config on one service and one price feed. */
export class Fleet {
  readonly bots: readonly FleetBot[]
  /** Every step of every bot, and every change of a phase. */
  readonly change$ = new Subject<{ readonly bot: FleetBot; readonly step?: Step }>()
  readonly #options: FleetOptions
  readonly #feed: PriceFeed
  readonly #swapper: JupiterSwapper
  readonly #operator$ = new Subject<OperatorCommand>()
  readonly #siblings = new SiblingBus()
  /** Names the recordings of this start. */
  readonly #runName: string
  readonly #closers: (() => unknown)[] = []
  readonly #ended: Promise<unknown>
  #isDraining = false
  #command: OperatorCommand
  #isStopped = false

  constructor(options: FleetOptions) {
    this.#options = options
    this.#runName = `${new Date(options.clock.now()).toISOString().replace(/[-:]|\.\d+/g, '')}-${randomBytes(3).toString('hex')}`
    const { config, access, clock, log } = options
    const { mints, everyMs } = config.market
    mkdirSync(join(options.dataDir, 'bots'), { recursive: true })
    this.#feed = new PriceFeed({
      ...access.prices,
      mints: [...new Set([...TOKENS.map(({ mint }) => mint), ...mints])],
      everyMs,
      timeoutMs: access.timeoutMs,
      clock,
      onTrouble: (reason) => (reason === undefined ? log.info('prices are back') : log.warn(`no prices: ${reason}; trying again, slower`)),
    })
    this.#feed.start()
    this.#command = options.command ?? 'resume'
    this.#swapper = new JupiterSwapper({ ...access.swaps, timeoutMs: access.timeoutMs, clock, fees: FEES })
    this.bots = config.bots.map((bot) => ({
      name: bot.name,
      config: bot,
      phase: 'starting',
      agentId: undefined,
      recording: undefined,
      failure: undefined,
      status: () => undefined,
      keptBack: undefined,
    }))
    this.#ended = Promise.all(this.bots.map((bot) => this.#run(bot)))
  }

  /** Resolves once every bot has drained or stopped. */
  async ended(): Promise<void> {
    await this.#ended
  }

  /** No new entries; resolves nothing: `ended` does once all is finished. */
  drain(): void {
    this.#isDraining = true
    this.#operator$.next('drain')
  }

  /** An operator's command, to all bots: those that start later hear of it too. */
  obey(command: Exclude<OperatorCommand, 'drain'>): void {
    this.#command = command
    this.#operator$.next(command)
  }

  /** Stops at once; what is under way is looked up by the next run. */
  async stop(): Promise<void> {
    if (this.#isStopped) return
    this.#isStopped = true
    this.#operator$.complete()
    await this.#feed.close()
    await this.#swapper.close()
    await Promise.all(this.#closers.splice(0).map((close) => close()))
  }

  async #run(bot: FleetBot): Promise<void> {
    try {
      await this.#play(bot)
      this.#enter(bot, bot.status()?.books.runMode === 'draining' ? 'drained' : 'stopped')
    } catch (thrown) {
      const failure = thrown instanceof CornermanError ? thrown : new CornermanError('BOT_FAILED', messageOf(thrown), { cause: thrown })
      bot.failure = failure
      this.#options.log.error(
        { bot: bot.name, code: failure.code, ...(failure.code === 'BOT_FAILED' ? { err: thrown } : {}) },
        `stopped: ${failure.message}`,
      )
      this.#enter(bot, 'stopped')
    }
  }

  async #play(bot: FleetBot): Promise<void> {
    const { access, clock, config, dataDir } = this.#options
    const agentKey = access.keys.get(bot.name) ?? ''
    const http = new HttpService({ url: access.url, agentKey, timeoutMs: access.timeoutMs, clock })
    this.#closers.push(() => http.close())
    const agentId = await this.#introduce(bot, http)
    if (agentId === undefined)
      throw new CornermanError('SERVICE_UNREACHABLE', 'the service did not answer before the run ended', { retryable: true })
    bot.agentId = agentId
    const dry = this.#options.isDryRun === true ? withoutPosts(http) : undefined
    bot.keptBack = dry?.keptBack
    const service = dry?.service ?? http
    // What a dry run did not do must not stand in the journal as failed.
    const journal = new SqliteJournal(dry === undefined ? join(dataDir, 'bots', `${bot.name}.db`) : ':memory:', agentId)
    // The journal is held by now: nobody else writes this recording.
    const recorder = dry === undefined ? this.#recorder(bot, agentId, journal) : undefined
    bot.recording = recorder?.folder
    const close = () => {
      recorder?.close()
      journal.close()
    }
    const paths = config.service.kind === 'contestService' ? config.service.paths : {}
    const isBusy = () => {
      const books = bot.status()?.books
      return books !== undefined && books.tickets.size + books.seats.size > 0
    }
    const play = pipeline(
      {
        clock,
        service,
        journal,
        market: this.#feed,
        swapper: this.#swapper.withFees({ ...FEES, maxPriorityFeeLamports: bot.config.guard.maxPriorityFeeLamports }),
        events: new Poller({ service, clock, everyMs: () => (isBusy() ? BUSY_POLL_MS : IDLE_POLL_MS) }),
        siblings: this.#siblings.portOf(bot.name),
        operator$: this.#operator$.pipe(startWith(this.#command)),
        recorder: recorder ?? { record: () => {} },
        seal,
      },
      { config: bot.config, paths },
    )
    bot.status = play.status
    this.#enter(bot, 'running')
    await new Promise<void>((resolve, reject) => {
      const subscription: Subscription = play.step$.subscribe({
        next: (step) => this.#take(bot, step),
        error: (thrown: unknown) => {
          close()
          reject(thrown as Error)
        },
        complete: () => {
          close()
          resolve()
        },
      })
      if (this.#isDraining) this.#operator$.next('drain')
      this.#closers.push(() => {
        if (subscription.closed) return
        subscription.unsubscribe()
        close()
        resolve()
      })
    })
  }

  #recorder({ name, config }: FleetBot, agentId: string, journal: SqliteJournal): FileRecorder {
    try {
      return new FileRecorder(this.#recording(name, config, agentId))
    } catch (thrown) {
      journal.close()
      throw thrown
    }
  }

  #recording(name: string, config: BotConfig, agentId: string): FileRecorderOptions {
    return {
      folder: join(this.#options.dataDir, 'recordings', name),
      book: this.#feed.book,
      header: {
        source: 'live',
        bot: name,
        agentId,
        run: this.#runName,
        software: softwareVersions(),
        config: fingerprintOf(config),
        mints: [],
      },
    }
  }

  #take(bot: FleetBot, step: Step): void {
    for (const { level, message, fields } of step.notes) this.#options.log[level]({ bot: bot.name, ...printable(fields) }, message)
    this.change$.next({ bot, step })
  }

  #enter(bot: FleetBot, phase: BotPhase): void {
    bot.phase = phase
    this.change$.next({ bot })
  }

  /**
   * Asks the service who the agent is, again and again while it is down.
   *
   * @returns its id; undefined when the fleet was stopped or drained meanwhile
   * @throws CornermanError `AGENT_KEY_REFUSED`
   */
  async #introduce(bot: FleetBot, service: HttpService): Promise<string | undefined> {
    const { log, config, clock } = this.#options
    for (let failures = 0; !this.#isStopped && !this.#isDraining; failures++) {
      const me = await service.read({ procedure: 'agent.me', input: null, purpose: 'me' })
      if (me.ok) return agentIdOf(me.output.agent) ?? me.output.agent.handle ?? bot.name
      if (isKeyRefused(me.refusal)) {
        const named = bot.config.agentKey?.secret
        const where = named === undefined ? 'its sandbox' : `the environment variable ${named}`
        throw new CornermanError(
          'AGENT_KEY_REFUSED',
          `the service does not accept the agent key from ${where} (${me.reason}): check it, or have the owner issue a new one`,
        )
      }
      const waitMs = Math.min(MAX_WAIT_MS, 500 * 2 ** failures)
      const url = config.service.kind === 'contestService' ? config.service.url : 'the sandbox'
      log.warn({ bot: bot.name }, `${url} does not answer (${me.reason}); trying again in ${waitMs / 1000} s`)
      await new Promise<void>((resolve) => {
        const cancel = clock.at(clock.now() + waitMs, resolve)
        this.#closers.push(() => {
          cancel()
          resolve()
        })
      })
    }
    return undefined
  }
}

/** The id of the agent in `agent.me`, whose fields are not documented. */
function agentIdOf(agent: Readonly<Record<string, unknown>>): string | undefined {
  for (const field of ['agentId', 'id', 'userId']) {
    const value = agent[field]
    if (typeof value === 'string' && value !== '') return value
  }
  return undefined
}

/** Log lines are JSON, which has no bigint. */
function printable(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, typeof value === 'bigint' ? value.toString() : value]))
}
