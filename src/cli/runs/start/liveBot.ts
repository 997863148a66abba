import { join, resolve } from 'node:path'
import { defer, EMPTY, from, fromEvent, merge, type Observable, startWith, takeUntil } from 'rxjs'
import type { Shapes } from '../../../contract/shapes/shapes.ts'
import { CornermanError, invariant, messageOf } from '../../../core/error.ts'
import { inTime } from '../../../core/inTime.ts'
import type { StreamView } from '../../../dashboard/index.ts'
import {
  type AgentLock,
  type BotJournal,
  type Dex,
  DueReveals,
  FileRecorder,
  HttpService,
  type LockedAgent,
  lockAgent,
  type PriceFeed,
  ProcessIsolation,
  type ReadLeases,
  type ServiceClock,
  SharedReads,
  SqliteJournal,
  seal,
  swapFeesOf,
  TimeWitness,
  type TokenDesk,
  withChainBalances,
} from '../../../live/index.ts'
import {
  askedRemotely,
  type BotStatus,
  FIGURES_HOLD_MS,
  type Isolation,
  inPlace,
  type Journal,
  type Note,
  type OperatorWord,
  type Pause,
  type Pipeline,
  type PipelineOptions,
  pipeline,
  type RemoteService,
  type Siblings,
  type Step,
  statusOf,
} from '../../../pipeline/index.ts'
import type { HeaderLine } from '../../../recording/index.ts'
import type { BotConfig, Config } from '../../../strategy/config.ts'
import { fingerprintOf } from '../../../strategy/fingerprint.ts'
import { journalFile } from '../../journals.ts'
import type { Logger } from '../../log.ts'
import { realmOf } from '../../realmOf.ts'
import type { ServiceAccess } from '../../service.ts'
import { softwareVersions } from '../../software.ts'
import { Closers } from './closers.ts'
import { type KeptBack, withoutPosts } from './dryRun.ts'
import type { BotPhase, FleetBot } from './fleetBot.ts'
import { type Introduced, introduce } from './introduce.ts'
import { keepDrift } from './keepDrift.ts'
import { leftOpenBy, leftOpenText } from './leftOpen.ts'
import { LiveStream } from './liveStream.ts'
import { type ServiceMapping, type ServiceReading, shapesSummary } from './serviceMapping.ts'

/** So long a bot that starts waits for the first prices, and for what is known of tokens. */
const PRICES_MS = 2000

/** What the bots of a fleet share, and what is one bot's own. */
export interface LiveBotOptions {
  readonly config: Config
  readonly access: ServiceAccess
  readonly dataDir: string
  readonly clock: ServiceClock
  readonly pause$: Observable<Pause>
  readonly log: Logger
  readonly isDryRun: boolean
  readonly isProbe: boolean
  /** Where the config was read: what is isolated imports it again. */
  readonly configFile: string | undefined
  /** Names the recordings of this start. */
  readonly runName: string
  readonly feed: PriceFeed
  readonly dex: Dex
  readonly tokens: TokenDesk
  readonly siblings: Siblings
  /** The operator's commands from now on. */
  readonly operator$: Observable<OperatorWord>
  /** What the operator has said by now, and holds. */
  readonly said: () => readonly OperatorWord[]
  /** Something has happened to this agent: its webhook says so. */
  readonly wake$: Observable<unknown>
  readonly onChange: (step?: Step) => void
  /** What it plays on. Default: what this host alone has. */
  readonly ground?: Ground
  /** How the service's answers are read. */
  readonly mapping: ServiceMapping
}

/** What a bot plays on: where it is kept what it does, and how what it does reaches the service. */
export interface Ground {
  readonly journal: BotJournal
  readonly leases: ReadLeases
  /** Asked as a POST is about to leave: where it says no, nothing of it does. */
  readonly maySend?: () => boolean
  /** As `HttpServiceOptions` has it. */
  readonly onTraffic?: (traffic: 'asked' | 'answered') => void
  /** The service, as the bot may act on it. */
  acting(service: RemoteService): RemoteService
  /** So that nobody else plays the agent. */
  lock(agent: Omit<LockedAgent, 'holder'>): Promise<AgentLock | undefined>
  /** Whether the journal outlives the run. */
  readonly isKept: boolean
  /** How it hears of other bots. Default: of those of this process. */
  readonly siblings?: Siblings
  /** Told once the bot knows all that it has open. */
  readonly onRestored?: () => void
  /** What a recording says of where it was made. */
  readonly fleet?: HeaderLine['fleet']
}

/** What a bot has open while it plays. */
interface Opened {
  readonly http: HttpService
  readonly service: RemoteService
  readonly journal: BotJournal
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
  shapes: Shapes | undefined
  failure: CornermanError | undefined
  keptBack: (() => readonly KeptBack[]) | undefined
  status: () => BotStatus | undefined = () => undefined
  readsLeft: () => number | undefined = () => undefined
  readonly #options: LiveBotOptions
  #past: () => BotStatus | undefined = () => undefined
  #isRestored: () => boolean = () => false
  readonly #opened = new Closers()
  readonly #stopping = new AbortController()
  #closing: Promise<void> | undefined
  readonly #stream: LiveStream
  readonly #witness: TimeWitness
  /** Writes the answers in which a piece was not where it should be. */
  #keepDrift: ((place: string, at: number) => string) | undefined
  #hasToldLeft = false
  #hasToldRestored = false
  /** Steps that nobody has been told of yet. */
  readonly #untold: Step[] = []

  constructor(config: BotConfig, options: LiveBotOptions) {
    this.name = config.name
    this.config = config
    this.#options = options
    const { clock, log, wake$ } = options
    this.#witness = new TimeWitness((moment) => clock.observeTime(moment))
    this.#stream = new LiveStream({
      ...{ name: this.name, clock, log, wake$ },
      books: () => this.status()?.books,
      onFresh: (event) => this.#witness.onEvent(event, clock.steady.now()),
    })
  }

  get hasCaughtUp(): boolean {
    return this.#stream.hasCaughtUp
  }

  stream(): StreamView {
    return this.#stream.state
  }

  life(): BotStatus | undefined {
    return this.#isRestored() ? this.status() : this.#past()
  }

  /** Plays until it has drained, is stopped or cannot go on; then `phase` and `failure` say how it ended. */
  async run(): Promise<void> {
    try {
      await this.#play()
    } catch (thrown) {
      this.#fail(thrown)
    }
    await this.#close()
    const isDrained = this.failure === undefined && this.status()?.books.runMode === 'draining'
    this.#enter(isDrained ? 'drained' : 'stopped')
  }

  /**
   * Stops at once; what is under way is looked up by the next run.
   *
   * @param failure why, where that is not its owner's wish
   */
  async stop(failure?: CornermanError): Promise<void> {
    if (failure !== undefined) this.#fail(failure)
    this.#stopping.abort()
    await this.#close()
  }

  /** Once, whoever asks for it first: the others wait for the same end. */
  #close(): Promise<void> {
    this.#closing ??= this.#opened.close().then((failures) => {
      for (const failure of failures) this.#fail(failure)
    })
    return this.#closing
  }

  /** Of several failures the first is why it stopped: the others follow from it. */
  #fail(thrown: unknown): void {
    const failure = thrown instanceof CornermanError ? thrown : new CornermanError('BOT_FAILED', messageOf(thrown), { cause: thrown })
    // It is played on elsewhere: nothing has gone wrong.
    const level = failure.code === 'BOT_MOVED' ? 'info' : 'error'
    if (this.failure?.code === 'BOT_MOVED') return
    this.failure ??= failure
    this.#options.log[level](
      { bot: this.name, code: failure.code, ...(failure.code === 'BOT_FAILED' ? { err: thrown } : {}) },
      `stopped: ${failure.message}`,
    )
  }

  async #play(): Promise<void> {
    const { access, clock, dataDir, ground = this.#ownGround() } = this.#options
    const { journal, leases, maySend, onTraffic, isKept } = ground
    this.#opened.add(() => journal.close())
    if (isKept) this.#rememberPast(journal)
    const http = new HttpService({
      url: access.url,
      agentKey: access.keys.get(this.name) ?? '',
      timeoutMs: access.timeoutMs,
      ...{ clock, steady: clock.steady, serviceTime: clock.service },
      leases,
      onDate: (sample) => clock.observe(sample),
      onAnswer: (answer) => this.#witness.onAnswer(answer),
      ...{ onTraffic, maySend },
    })
    this.#opened.add(() => http.close())
    this.readsLeft = () => http.readsLeft
    const introduced = await this.#introduce(http)
    if (introduced === undefined)
      throw new CornermanError(
        'SERVICE_UNREACHABLE',
        'the service did not answer before the run ended: check service.url and the network',
        { retryable: true },
      )
    const { agentId } = introduced
    this.agentId = agentId
    this.statedAgentId = introduced.statedAgentId
    if (this.#stopping.signal.aborted) return
    await this.#lock(ground, introduced)
    const newsAfter = await this.#newsAfter(http, journal)
    if (this.#stopping.signal.aborted) return
    journal.belongTo(agentId, clock.now(), newsAfter)
    // Before anything that an answer decides.
    const read = await this.#options.mapping.readBy(http, this.#stopping.signal)
    http.reading = read.reading
    this.shapes = read.shapes
    if (read.reading !== undefined) this.#keepDrift = keepDrift(http, dataDir)
    if (this.#stopping.signal.aborted) return
    const service = ground.acting(http)
    await this.#fold(journal, service)
    if (this.#stopping.signal.aborted) return
    // The journal is held by now: nobody else writes this recording.
    const recorder = isKept ? this.#recorder(agentId, read, ground.fleet) : undefined
    this.recording = recorder?.folder
    const isolation = this.#isolation()
    const play = this.#pipeline({ http, service, journal, recorder, isolation: isolation ?? inPlace })
    // The pipeline has begun the processes of what is isolated: a strategy that is unfit plays nothing.
    await Promise.all([isolation?.ready(), this.#prices()])
    if (!this.#stopping.signal.aborted) await this.#follow(play)
  }

  /** The end of the stream, of a new journal. It is read as well where the time is not known yet: no input may come before that. */
  async #newsAfter(http: HttpService, journal: BotJournal): Promise<string | null> {
    if (!journal.isNew && this.#options.clock.isKnown) return null
    const latest = await http.readAtStart({ procedure: 'agent.events', input: { latest: true } })
    return latest.ok ? latest.output.cursor : ''
  }

  /** The journal of this host alone. What a dry run did not do must not stand in it as failed. */
  #ownGround(): Ground {
    const { config, dataDir, isDryRun } = this.#options
    const file = journalFile(dataDir, this.name)
    const journal = new SqliteJournal(isDryRun ? ':memory:' : file, { keptDays: config.journal.retentionDays })
    const holder = `process ${process.pid} (bot ${this.name}, data directory ${resolve(dataDir)})`
    return {
      journal,
      // A scout may read with the same key; a dry run is not told of, since a bot of that name may run as well.
      leases: isDryRun ? journal : new SharedReads({ journal: file, whose: 'bot', kept: journal }),
      acting: (service) => service,
      // It sends nothing, and may be beside the bots.
      lock: async (agent) => (isDryRun ? undefined : await lockAgent({ ...agent, holder })),
      isKept: !isDryRun,
    }
  }

  async #lock(ground: Ground, { statedAgentId }: Introduced): Promise<void> {
    const { access } = this.#options
    const lock = await ground.lock({ url: access.url, agent: statedAgentId, key: access.keys.get(this.name) ?? this.name })
    if (lock !== undefined) this.#opened.add(() => lock.release())
  }

  /** Policies are asked as soon as the books are whole: without a price yet, what they ask for would be refused. A bot waits no longer for it. */
  async #prices(): Promise<void> {
    const { clock, feed, tokens } = this.#options
    await inTime(Promise.all([feed.begun, tokens.begun]), clock, PRICES_MS)
  }

  /** A journal of before has a long way to go, once: predictions that are due meanwhile do not wait for it. */
  async #fold(journal: BotJournal, service: RemoteService): Promise<void> {
    const { clock, log } = this.#options
    let due: DueReveals | undefined
    for (const { folded, events } of journal.folding()) {
      due ??= new DueReveals({
        ...{ journal, service, clock, serviceTime: clock.service, paths: this.#own().paths },
        log: (note) => this.#write(note),
      })
      await due.look()
      if (this.#stopping.signal.aborted) return
      log.info({ bot: this.name }, `the journal is being folded: ${folded} of ${events} events`)
    }
    await due?.look()
  }

  /** Reads the journal for `life`, of a bot that has not: when that is asked for, and at the latest before the journal is closed. */
  #rememberPast(journal: BotJournal): void {
    const { access, clock, feed } = this.#options
    const service = { timeoutMs: access.timeoutMs, figuresHoldMs: FIGURES_HOLD_MS }
    const options = { ...this.#own(), ...service, book: feed.book, seal, isolation: inPlace }
    this.#past = () => statusOf(journal.load(), options, clock.now())
    this.#opened.add(() => {
      const read = this.#past
      this.#past = () => undefined
      if (this.#isRestored()) return
      try {
        const life = read()
        this.#past = () => life
      } catch (thrown) {
        // What is wrong with the journal has been said where it stopped the bot.
        if (!this.failure?.code.startsWith('JOURNAL_')) this.#fail(thrown)
      }
    })
  }

  /** What is the bot's own by the config. */
  #own(): PipelineOptions {
    const { service } = this.#options.config
    return { config: this.config, paths: service.kind === 'contestService' ? service.paths : {} }
  }

  #introduce(service: HttpService): ReturnType<typeof introduce> {
    const { clock, config, log, said } = this.#options
    const named = this.config.agentKey?.secret
    return introduce({
      ...{ service, clock, log, bot: this.name },
      keyFrom: named === undefined ? 'its sandbox' : `the environment variable ${named}`,
      serviceAt: config.service.kind === 'contestService' ? config.service.url : 'the sandbox',
      isOver: () => said().includes('drain'),
      signal: this.#stopping.signal,
    })
  }

  /** Made, and not run yet. */
  #pipeline({ http, service: acting, journal, recorder, isolation }: Opened): Pipeline {
    const { clock, pause$, feed, dex, tokens, ground, operator$, said, isDryRun } = this.#options
    const dry = isDryRun ? withoutPosts(acting) : undefined
    this.keptBack = dry?.keptBack
    const { steady } = clock
    const { service, chainUsdc$ } = withChainBalances(dry?.service ?? acting, {
      ...{ usdcOf: (wallet) => dex.walletUsdc(wallet), clock: steady },
    })
    return pipeline(
      {
        clock,
        ...{ skewMs$: clock.skewMs$, lagMs$: clock.lagMs$, gapMs$: clock.gapMs$, pause$, chainUsdc$ },
        service: askedRemotely(service),
        journal: this.#options.isProbe ? withoutModes(journal) : journal,
        market: { book: feed.book, tick$: ticksOf(feed) },
        swapper: dex.swapperFor(swapFeesOf(this.config.guard)),
        tokens$: tokens.facts$,
        feedTrouble$: feed.trouble$,
        events: this.#stream.poller(service, http, (back) => journal.eventId(back)),
        siblings: ground?.siblings ?? this.#options.siblings,
        operator$: defer(() => operator$.pipe(startWith(...said()))),
        recorder: recorder ?? { record: () => {}, price: () => {} },
        isolation,
        seal,
      },
      this.#own(),
    )
  }

  /** Runs the pipeline to its end. */
  #follow(play: Pipeline): Promise<void> {
    this.status = play.status
    this.#isRestored = play.isRestored
    this.#enter('running')
    const stopped$ = fromEvent(this.#stopping.signal, 'abort')
    return new Promise<void>((resolve, reject) => {
      play.step$.pipe(takeUntil(stopped$)).subscribe({ next: (step) => this.#take(step), error: reject, complete: resolve })
    }).finally(() => this.#tell())
  }

  /** Processes for the strategies that are isolated; undefined where none is. */
  #isolation(): ProcessIsolation | undefined {
    const { clock, configFile: file, dataDir, feed } = this.#options
    const bot = this.config
    if (bot.isolate === undefined || bot.isolate === false) return undefined
    invariant(file !== undefined, 'what is isolated imports the config file again', { bot: bot.name })
    const isolation = new ProcessIsolation({ file: resolve(file), dataDir, bot, book: feed.book, clock, log: (note) => this.#write(note) })
    this.#opened.add(() => isolation.close())
    return isolation
  }

  #recorder(agentId: string, { shapes }: ServiceReading, fleet: Ground['fleet']): FileRecorder {
    const { config, dataDir, feed, runName } = this.#options
    const recorder = new FileRecorder({
      folder: join(dataDir, 'recordings', this.name),
      book: feed.book,
      header: {
        source: 'live',
        realm: realmOf(config.service),
        bot: this.name,
        agentId,
        run: runName,
        software: softwareVersions(),
        config: fingerprintOf(this.config),
        ...(shapes === undefined ? {} : { shapes: shapesSummary(shapes) }),
        ...(fleet === undefined ? {} : { fleet }),
        mints: [],
      },
    })
    this.#opened.add(() => recorder.close())
    return recorder
  }

  /** What a step sends leaves at the end of this turn of the loop: logs and screens are told of it after that. */
  #take(step: Step): void {
    if (!this.#hasToldLeft && this.#isRestored()) this.#tellLeft()
    this.#untold.push(step)
    const isFirst = this.#untold.length === 1
    if (isFirst && step.orders.length > 0) setImmediate(() => this.#tell())
    else if (isFirst) this.#tell()
  }

  /** Once, with the first step that knows it. */
  #tellLeft(): void {
    this.#hasToldLeft = true
    const status = this.status()
    const left = status === undefined ? undefined : leftOpenBy(status)
    if (left !== undefined)
      this.#options.log.info({ bot: this.name }, `the run before has left open, and this one takes up: ${leftOpenText([left])}`)
  }

  #tell(): void {
    for (const step of this.#untold.splice(0)) {
      for (const note of step.notes) {
        this.#write(note)
        if (note.fields.code === 'SHAPE_DRIFTED') this.#write(this.#driftNote(note, step))
      }
      this.#stream.onStep()
      if (this.hasCaughtUp && !this.#hasToldRestored) {
        this.#hasToldRestored = true
        this.#options.ground?.onRestored?.()
      }
      this.#options.onChange(step)
    }
  }

  #driftNote({ fields }: Note, step: Step): Note {
    const file = this.#keepDrift?.(String(fields.place), step.input.at)
    return { level: 'info', message: `the answer is kept in ${file}`, fields: {} }
  }

  #write({ level, message, fields }: Note): void {
    this.#options.log[level]({ bot: this.name, ...printable(fields) }, message)
  }

  #enter(phase: BotPhase): void {
    this.phase = phase
    this.#options.onChange()
  }
}

/** Nothing closes a mode, and nothing is said of one: that is what a probe is for. */
const withoutModes = (journal: BotJournal): Journal => ({
  load: () => ({ ...journal.load(), modes: undefined }),
  commit: (record) => journal.commit(record),
})

/** Log lines are JSON, which has no bigint. */
function printable(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, typeof value === 'bigint' ? value.toString() : value]))
}

/** A bot that starts after the newest tick hears of it all the same, once what its journal holds has gone in. */
function ticksOf({ book, tick$ }: PriceFeed): Observable<number> {
  const newest$ = defer(() => (book.tick === 0 ? EMPTY : from(Promise.resolve(book.tick))))
  return merge(newest$, tick$)
}
