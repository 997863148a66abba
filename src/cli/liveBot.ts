import { join } from 'node:path'
import { defer, type Observable, startWith, tap } from 'rxjs'
import { CornermanError, invariant, messageOf } from '../core/error.ts'
import type { StreamView } from '../dashboard/index.ts'
import {
  FileRecorder,
  HttpService,
  isKeyRefused,
  type JupiterSwapper,
  Poller,
  type PriceFeed,
  pollPace,
  type ServiceClock,
  SqliteJournal,
  type StreamLag,
  seal,
  WorkerIsolation,
} from '../live/index.ts'
import {
  type BotStatus,
  type Isolation,
  inPlace,
  type Note,
  type OperatorCommand,
  pipeline,
  type RemoteService,
  type Siblings,
  type Step,
} from '../pipeline/index.ts'
import type { BotConfig, Config } from '../strategy/config.ts'
import { fingerprintOf } from '../strategy/fingerprint.ts'
import { type KeptBack, withoutPosts } from './dryRun.ts'
import { journalFile } from './journals.ts'
import type { Logger } from './log.ts'
import type { ServiceAccess } from './service.ts'
import { softwareVersions } from './software.ts'

const LONGEST_WAIT_MS = 15_000
/** What swaps pay validators; each bot's guard has the last word. */
export const FEES = { priorityLevel: 'medium', maxPriorityFeeLamports: 1_000_000n } as const

export type BotPhase = 'starting' | 'running' | 'drained' | 'stopped'

/** One bot of the fleet, for reports and screens. */
export interface FleetBot {
  readonly name: string
  readonly config: BotConfig
  readonly phase: BotPhase
  readonly agentId: string | undefined
  /** The agent's id in the service's own words; undefined before it has answered, and where it does not say. */
  readonly statedAgentId: string | undefined
  /** The folder of its recording; undefined where it keeps none. */
  readonly recording: string | undefined
  /** Why it stopped before its time. */
  readonly failure: CornermanError | undefined
  status(): BotStatus | undefined
  /** How the event stream stands. */
  stream(): StreamView
  /** Reads the service still takes of this key in the current minute; undefined before there is a connection. */
  readsLeft(): number | undefined
  /** What a dry run kept back; undefined in any other run. */
  keptBack: (() => readonly KeptBack[]) | undefined
}

/** What the bots of a fleet share, and what is one bot's own. */
export interface LiveBotOptions {
  readonly config: Config
  readonly access: ServiceAccess
  readonly dataDir: string
  readonly clock: ServiceClock
  readonly log: Logger
  readonly isDryRun: boolean
  /** Where the config was read: what is isolated imports it again. */
  readonly configFile: string | undefined
  /** Names the recordings of this start. */
  readonly runName: string
  readonly feed: PriceFeed
  readonly swapper: JupiterSwapper
  readonly siblings: Siblings
  /** The operator's commands from now on. */
  readonly operator$: Observable<OperatorCommand>
  /** What the operator has said by now, and holds. */
  readonly said: () => readonly OperatorCommand[]
  /** Something has happened to this agent: its webhook says so. */
  readonly wake$: Observable<unknown>
  readonly onChange: (step?: Step) => void
}

/** What a bot has open while it plays. */
interface Opened {
  readonly http: HttpService
  readonly journal: SqliteJournal
  readonly recorder: FileRecorder | undefined
  readonly isolation: Isolation
}

/** One bot on the real ports: from its key and its journal to the end of its pipeline. */
export class LiveBot implements FleetBot {
  readonly name: string
  readonly config: BotConfig
  phase: BotPhase = 'starting'
  agentId: string | undefined
  statedAgentId: string | undefined
  recording: string | undefined
  failure: CornermanError | undefined
  keptBack: (() => readonly KeptBack[]) | undefined
  status: () => BotStatus | undefined = () => undefined
  readsLeft: () => number | undefined = () => undefined
  readonly #options: LiveBotOptions
  readonly #closers: (() => unknown)[] = []
  #isStopped = false
  #stream: StreamView = { state: 'current', readAt: undefined }

  constructor(config: BotConfig, options: LiveBotOptions) {
    this.name = config.name
    this.config = config
    this.#options = options
  }

  stream(): StreamView {
    return this.#stream
  }

  /** Plays until it has drained, is stopped or cannot go on; then `phase` and `failure` say how it ended. */
  async run(): Promise<void> {
    try {
      await this.#play()
      this.#enter(this.status()?.books.runMode === 'draining' ? 'drained' : 'stopped')
    } catch (thrown) {
      const failure = thrown instanceof CornermanError ? thrown : new CornermanError('BOT_FAILED', messageOf(thrown), { cause: thrown })
      this.failure = failure
      this.#options.log.error(
        { bot: this.name, code: failure.code, ...(failure.code === 'BOT_FAILED' ? { err: thrown } : {}) },
        `stopped: ${failure.message}`,
      )
      await this.#close()
      this.#enter('stopped')
    }
  }

  /** Stops at once; what is under way is looked up by the next run. */
  async stop(): Promise<void> {
    this.#isStopped = true
    await this.#close()
  }

  async #close(): Promise<void> {
    // The newest first: what was opened later stands on what was opened before it.
    await Promise.all(
      this.#closers
        .splice(0)
        .toReversed()
        .map((close) => close()),
    )
  }

  async #play(): Promise<void> {
    const { access, clock, dataDir, isDryRun } = this.#options
    // What a dry run did not do must not stand in the journal as failed.
    const journal = new SqliteJournal(isDryRun ? ':memory:' : journalFile(dataDir, this.name))
    this.#closers.push(() => journal.close())
    const http = new HttpService({
      url: access.url,
      agentKey: access.keys.get(this.name) ?? '',
      timeoutMs: access.timeoutMs,
      clock,
      leases: journal,
      onDate: (sample) => clock.observe(sample),
    })
    this.#closers.push(() => http.close())
    this.readsLeft = () => http.readsLeft
    const agentId = await this.#introduce(http)
    if (agentId === undefined)
      throw new CornermanError('SERVICE_UNREACHABLE', 'the service did not answer before the run ended', { retryable: true })
    this.agentId = agentId
    journal.belongTo(agentId)
    // The journal is held by now: nobody else writes this recording.
    const recorder = isDryRun ? undefined : this.#recorder(agentId)
    this.recording = recorder?.folder
    const isolation = this.#isolation()
    await isolation?.ready()
    if (!this.#isStopped) await this.#follow({ http, journal, recorder, isolation: isolation ?? inPlace })
  }

  /** Runs the pipeline to its end. */
  #follow({ http, journal, recorder, isolation }: Opened): Promise<void> {
    const { clock, config, feed, swapper, siblings, operator$, said, isDryRun } = this.#options
    const dry = isDryRun ? withoutPosts(http) : undefined
    this.keptBack = dry?.keptBack
    const service = dry?.service ?? http
    const play = pipeline(
      {
        clock,
        service,
        journal,
        market: feed,
        swapper: swapper.withFees({ ...FEES, maxPriorityFeeLamports: this.config.guard.maxPriorityFeeLamports }),
        events: this.#poller(service, http),
        siblings,
        operator$: defer(() => operator$.pipe(startWith(...said()))),
        recorder: recorder ?? { record: () => {} },
        isolation,
        seal,
      },
      { config: this.config, paths: config.service.kind === 'contestService' ? config.service.paths : {} },
    )
    this.status = play.status
    this.#enter('running')
    return new Promise((resolve, reject) => {
      const subscription = play.step$.subscribe({
        next: (step) => this.#take(step),
        error: (thrown: unknown) => void this.#close().then(() => reject(thrown as Error)),
        complete: () => void this.#close().then(resolve),
      })
      this.#closers.push(() => {
        subscription.unsubscribe()
        resolve()
      })
    })
  }

  #poller(service: RemoteService, http: HttpService): Poller {
    const { clock, wake$ } = this.#options
    let heardAt = Number.NEGATIVE_INFINITY
    return new Poller({
      name: this.name,
      service,
      clock,
      everyMs: (random) => pollPace({ books: this.status()?.books, now: clock.now(), heardAt, random }),
      wake$: wake$.pipe(
        tap(() => {
          heardAt = clock.now()
        }),
      ),
      onRead: () => {
        this.#stream = { state: 'current', readAt: clock.now() }
      },
      onLag: (lag) => {
        this.#stream = { ...this.#stream, state: lag.state === 'recovered' ? 'current' : lag.state }
        this.#sayLag(lag)
        if (lag.state === 'stalled') http.rebuild()
      },
    })
  }

  #sayLag({ state, lagMs, reason }: StreamLag): void {
    const { log } = this.#options
    const about = { bot: this.name, lagMs }
    const seconds = Math.round(lagMs / 1000)
    if (state === 'late') log.warn(about, `no event has been read for ${seconds} s: ${reason}`)
    else if (state === 'stalled')
      log.error(
        about,
        `no event has been read for ${seconds} s: ${reason}; the connection is made anew, and no strategy is asked until then`,
      )
    else log.info(about, `events are read again after ${seconds} s`)
  }

  /** Workers for the strategies that are isolated; undefined where none is. */
  #isolation(): WorkerIsolation | undefined {
    const { clock, configFile: file, feed } = this.#options
    const bot = this.config
    if (bot.isolate === undefined || bot.isolate === false) return undefined
    invariant(file !== undefined, 'what is isolated imports the config file again', { bot: bot.name })
    const isolation = new WorkerIsolation({ file, bot, book: feed.book, clock, log: (note) => this.#write(note) })
    this.#closers.push(() => isolation.close())
    return isolation
  }

  #recorder(agentId: string): FileRecorder {
    const { dataDir, feed, runName } = this.#options
    const recorder = new FileRecorder({
      folder: join(dataDir, 'recordings', this.name),
      book: feed.book,
      header: {
        source: 'live',
        bot: this.name,
        agentId,
        run: runName,
        software: softwareVersions(),
        config: fingerprintOf(this.config),
        mints: [],
      },
    })
    this.#closers.push(() => recorder.close())
    return recorder
  }

  #take(step: Step): void {
    for (const note of step.notes) this.#write(note)
    this.#options.onChange(step)
  }

  #write({ level, message, fields }: Note): void {
    this.#options.log[level]({ bot: this.name, ...printable(fields) }, message)
  }

  #enter(phase: BotPhase): void {
    this.phase = phase
    this.#options.onChange()
  }

  /**
   * Asks the service who the agent is, again and again while it is down.
   *
   * @returns its id; undefined when the bot was stopped or is to drain meanwhile
   * @throws CornermanError `AGENT_KEY_REFUSED`
   */
  async #introduce(service: HttpService): Promise<string | undefined> {
    const { log, config, clock, said } = this.#options
    for (let failures = 0; !this.#isStopped && !said().includes('drain'); failures++) {
      const me = await service.read({ procedure: 'agent.me', input: null, purpose: 'me' })
      this.statedAgentId = me.ok ? agentIdOf(me.output.agent) : undefined
      if (me.ok) return this.statedAgentId ?? me.output.agent.handle ?? this.name
      if (isKeyRefused(me.refusal)) {
        const named = this.config.agentKey?.secret
        const where = named === undefined ? 'its sandbox' : `the environment variable ${named}`
        throw new CornermanError(
          'AGENT_KEY_REFUSED',
          `the service does not accept the agent key from ${where} (${me.reason}): check it, or have the owner issue a new one`,
        )
      }
      const waitMs = Math.min(LONGEST_WAIT_MS, 500 * 2 ** failures)
      const url = config.service.kind === 'contestService' ? config.service.url : 'the sandbox'
      log.warn({ bot: this.name }, `${url} does not answer (${me.reason}); trying again in ${waitMs / 1000} s`)
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
