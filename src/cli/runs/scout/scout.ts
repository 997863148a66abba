import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Mode } from '../../../contract/modes.ts'
import { CornermanError } from '../../../core/error.ts'
import { inTime } from '../../../core/inTime.ts'
import { steadyClock, systemClock } from '../../../core/systemClock.ts'
import { TOKENS } from '../../../core/tokens.ts'
import { HttpService, PriceFeed, RequestBudgets, type ServiceClock, SharedReads } from '../../../live/index.ts'
import { ContestScout, ScoutLog } from '../../../scout/index.ts'
import type { Config } from '../../../strategy/config.ts'
import { SANDBOX_TIMEOUT_MS } from '../../../strategy/timeoutOf.ts'
import { makeDataDir } from '../../dataDir.ts'
import { EXIT } from '../../exit.ts'
import { sayHangupsTo } from '../../hangup.ts'
import { journalFile } from '../../journals.ts'
import { loadConfig } from '../../loadConfig.ts'
import { createLog, type Logger } from '../../log.ts'
import { modesAsked } from '../../modesAsked.ts'
import { print } from '../../output.ts'
import { pickBots } from '../../pickBots.ts'
import { runName } from '../../runName.ts'
import { openService, runningSandbox, type ServiceAccess } from '../../service.ts'
import { expectShapes } from '../../shapesFile.ts'
import { softwareVersions } from '../../software.ts'
import { Closers } from '../start/closers.ts'
import { explore } from '../start/explore.ts'
import { introduce } from '../start/introduce.ts'
import { serviceClock } from '../start/serviceClock.ts'
import { openServiceMapping, type ServiceReading, shapesSummary } from '../start/serviceMapping.ts'
import { Signals } from '../start/signals.ts'
import { SCOUT, type ScoutFolder, takeScoutFolder } from './scoutFolder.ts'
import { contestsLine, linesOf, reportOf, type Scouted } from './scoutReport.ts'

export interface ScoutOptions {
  readonly config: string
  readonly dataDir: string
  /** Milliseconds. */
  readonly for?: number
  /** With commas between them. */
  readonly modes?: string
  readonly json?: boolean
}

/** What is not known of the service by then is written into a run of its own, later: prices do not wait for it. */
const SERVICE_MS = 10_000
const TELL_EVERY_MS = 10 * 60_000

/** Where is read, and with whose key. */
type ReadAccess = Pick<ServiceAccess, 'url' | 'prices' | 'requestsPerMinute' | 'timeoutMs' | 'close'> & {
  readonly bot: string
  readonly key: string
}

/**
 * Records prices and the public contests of a service until its time is up or it is stopped. Nothing that it opens can send anything but reads.
 *
 * @throws CornermanError of the config, the data directory, the key, or `RECORDING_WRITE_FAILED`
 */
export async function scout(options: ScoutOptions): Promise<number> {
  const signals = new Signals()
  const opened = new Closers()
  try {
    const modes = modesAsked(options.modes)
    const config = await loadConfig(options.config)
    expectShapes(config, options.config)
    expectFreeName(config, options.config)
    const log = createLog({ pretty: process.stderr.isTTY === true })
    sayHangupsTo(log)
    const access = await openReads(config, options, log)
    opened.add(() => access.close())
    makeDataDir(options.dataDir)
    // Where the bots' journals are, it is told beside them what a scout reads.
    mkdirSync(dirname(journalFile(options.dataDir, access.bot)), { recursive: true, mode: 0o700 })
    const folder = await takeScoutFolder(options.dataDir, config.service.kind === 'sandbox' ? 'sandbox' : config.service.url)
    opened.add(() => folder.release())
    const run = new ScoutRun({ options, modes, config, access, folder, log })
    opened.add(() => run.close())
    const scouted = await run.untilEnded(signals)
    const report = reportOf(scouted)
    print(options.json, report, linesOf(report))
    return EXIT.done
  } finally {
    signals.close()
    await opened.close()
  }
}

/** The recording of a bot of that name would stand in the same folder. */
function expectFreeName({ bots }: Config, configFile: string): void {
  if (bots.some(({ name }) => name === SCOUT))
    throw new CornermanError(
      'USAGE',
      `${configFile}: a bot is called ${SCOUT}, and its recording stands where a scout's would: give it another name`,
    )
}

/** A sandbox that runs on the data directory is read where it runs; one that does not is started. */
async function openReads(config: Config, { dataDir, config: configFile }: ScoutOptions, log: Logger): Promise<ReadAccess> {
  const first = config.bots[0]?.name ?? ''
  const running = config.service.kind === 'sandbox' ? runningSandbox(dataDir) : undefined
  const agent = running?.agents.find(({ name }) => name === first) ?? running?.agents[0]
  if (running !== undefined && agent !== undefined) {
    log.info(`reads the sandbox that runs at ${running.url}`)
    const prices = { url: `${running.url}/jup/price/v3`, apiKey: undefined }
    return { url: running.url, prices, timeoutMs: SANDBOX_TIMEOUT_MS, bot: agent.name, key: agent.key, close: () => Promise.resolve() }
  }
  if (config.service.kind === 'sandbox') log.info('starting the sandbox: reading its prices')
  // The sandbox makes the agents of all bots at once; elsewhere one key is enough.
  const access = await openService(config.service.kind === 'sandbox' ? config : pickBots(config, [first]), { dataDir, configFile })
  if (access.sandbox !== undefined)
    log.info(
      `sandbox at ${access.url}: recorded prices, and nobody plays until bots do: npm start -- --data-dir ${dataDir} first, then scout`,
    )
  return { ...access, bot: first, key: access.keys.get(first) ?? '' }
}

interface ScoutRunOptions {
  readonly options: ScoutOptions
  readonly modes: readonly Mode[] | undefined
  readonly config: Config
  readonly access: ReadAccess
  readonly folder: ScoutFolder
  readonly log: Logger
}

/** What the service has said by now. */
interface Known {
  readonly agentId: string
  readonly read: ServiceReading
}

class ScoutRun {
  readonly #options: ScoutRunOptions
  readonly #clock: ServiceClock
  readonly #opened = new Closers()
  readonly #stopping = new AbortController()
  readonly #http: HttpService
  readonly #feed: PriceFeed
  readonly #log: ScoutLog
  readonly #startedAt: number
  readonly #ended = Promise.withResolvers<void>()
  #known: Known | undefined
  #contests: ContestScout | undefined
  #why: string | null = 'the service did not answer'
  #cancelTelling = () => {}

  constructor(options: ScoutRunOptions) {
    const { config, access, folder, log, options: asked } = options
    this.#options = options
    this.#clock = serviceClock(steadyClock, log, systemClock)
    const clock = this.#clock
    const times = { clock, steady: clock.steady, timeoutMs: access.timeoutMs }
    this.#startedAt = clock.now()
    const { url, key, bot } = access
    this.#http = new HttpService({
      ...{ url, agentKey: key, ...times, isReadOnly: true, priority: 5 },
      leases: new SharedReads({ journal: journalFile(asked.dataDir, bot), whose: 'scout' }),
      onDate: (sample) => clock.observe(sample),
    })
    this.#opened.add(() => this.#http.close())
    const budgets = new RequestBudgets(clock.steady, access.requestsPerMinute)
    this.#opened.add(() => budgets.close())
    const { mints, tokens, everyMs } = config.market
    this.#feed = new PriceFeed({
      ...{ ...access.prices, ...times, everyMs, budget: budgets.of(access.prices) },
      mints: [...new Set([...[...TOKENS, ...tokens].map(({ mint }) => mint), ...mints])],
      onTrouble: (reason) => (reason === undefined ? log.info('prices are back') : log.warn(`no prices: ${reason}; trying again, slower`)),
    })
    this.#opened.add(() => this.#feed.close())
    this.#log = new ScoutLog({ folder: folder.path, book: this.#feed.book })
    this.#opened.add(() => this.#log.close())
  }

  /** Records until the time is up, a signal comes, or it cannot go on. */
  async untilEnded(signals: Signals): Promise<Scouted> {
    const { options, folder, access, config, log } = this.#options
    const { steady } = this.#clock
    signals.listen(() => this.#ended.resolve())
    if (options.for !== undefined) this.#opened.add(steady.at(steady.now() + options.for, () => this.#ended.resolve()))
    const ticks = this.#feed.tick$.subscribe(() => this.#caught(() => this.#log.prices(this.#clock.now())))
    this.#opened.add(() => ticks.unsubscribe())
    this.#feed.start()
    const cause = this.#begin().catch((thrown: unknown) => this.#ended.reject(thrown))
    this.#tellAgain()
    log.info(`records into ${folder.path}${options.for === undefined ? ', until it is stopped (Ctrl-C)' : ''}: only reads are sent`)
    await this.#ended.promise
    this.#stopping.abort()
    this.#contests?.stop()
    await inTime(cause, steady, access.timeoutMs)
    this.#log.close()
    return {
      ...{ recording: folder.path, log: this.#log, contests: this.#contests, why: this.#contests === undefined ? this.#why : null },
      service: config.service.kind === 'sandbox' ? 'sandbox' : config.service.url,
      agentId: this.#known?.agentId ?? null,
      ...{ from: this.#startedAt, until: this.#clock.now() },
    }
  }

  async close(): Promise<void> {
    this.#cancelTelling()
    this.#stopping.abort()
    this.#contests?.stop()
    const [failure] = await this.#opened.close()
    if (failure !== undefined) throw failure
  }

  /** Prices first: the recording begins by what is known of the service, and without it after a while. */
  async #begin(): Promise<void> {
    const knowing = this.#ask()
    const known = await inTime(knowing, this.#clock.steady, SERVICE_MS)
    if (this.#stopping.signal.aborted) return
    this.#beginRun(known)
    if (known === undefined) this.#options.log.warn('the service has not answered yet: prices are recorded meanwhile')
    const late = known ?? (await knowing)
    if (late === undefined || this.#stopping.signal.aborted) return
    this.#known = late
    if (known === undefined) this.#beginRun(late)
    this.#follow(late)
  }

  /** Who reads, and by which mapping; undefined where it was stopped before the service said so. */
  async #ask(): Promise<Known | undefined> {
    const { config, access, options, log } = this.#options
    const { signal } = this.#stopping
    const named = config.bots.find(({ name }) => name === access.bot)?.agentKey?.secret
    const introduced = await introduce({
      ...{ service: this.#http, clock: this.#clock, log, bot: access.bot, signal, isOver: () => false },
      keyFrom: named === undefined ? 'the sandbox' : `the environment variable ${named}`,
      serviceAt: config.service.kind === 'contestService' ? config.service.url : 'the sandbox',
    })
    if (introduced === undefined) return undefined
    const { dataDir } = options
    const mapping = openServiceMapping({
      ...{ config, configFile: options.config, dataDir, log },
      explore: (http, stopped) => explore(http, stopped, { dataDir, service: access.url, clock: this.#clock.steady, log }),
    })
    return { agentId: introduced.agentId, read: await mapping.readBy(this.#http, signal) }
  }

  #beginRun(known: Known | undefined): void {
    const now = this.#clock.now()
    const { shapes } = known?.read ?? {}
    this.#log.begin(
      {
        ...{ source: 'live', bot: SCOUT, agentId: known?.agentId ?? null, software: softwareVersions(), config: null, mints: [] },
        run: runName(now),
        ...(shapes === undefined ? {} : { shapes: shapesSummary(shapes) }),
      },
      now,
    )
  }

  #follow({ read: { shapes } }: Known): void {
    const { log, modes } = this.#options
    if (shapes !== undefined && shapes.lists?.open === undefined) {
      this.#why = 'the mapping does not say where the list of contests is (service.shapes.lists.open): prices alone are recorded'
      log.warn(`${this.#why}. cornerman probe finds it while contests are open`)
      return
    }
    this.#contests = new ContestScout({
      ...{ service: { read: (request) => this.#http.read(request) }, clock: this.#clock, log: this.#log, modes },
      say: (level, message) => log[level](message),
      onFailure: (thrown) => this.#ended.reject(thrown),
    })
    this.#contests.start()
  }

  /** Now and then, how far it has come. */
  #tellAgain(): void {
    const { steady } = this.#clock
    this.#cancelTelling = steady.at(steady.now() + TELL_EVERY_MS, () => {
      this.#tell()
      this.#tellAgain()
    })
  }

  #tell(): void {
    const { recording, ticks, contests } = reportOf({
      ...{ recording: this.#options.folder.path, service: '', agentId: null, from: 0, until: 0, why: null },
      ...{ log: this.#log, contests: this.#contests },
    })
    this.#options.log.info(`${recording}: ${ticks} price lines${contests === null ? '' : `; ${contestsLine(contests)}`}`)
  }

  #caught(work: () => void): void {
    try {
      work()
    } catch (thrown) {
      this.#ended.reject(thrown)
    }
  }
}
