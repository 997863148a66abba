import { join, resolve } from 'node:path'
import { BehaviorSubject, type Observable, config as rxjs } from 'rxjs'
import { CornermanError, messageOf } from '../../../core/error.ts'
import { steadyClock, systemClock } from '../../../core/systemClock.ts'
import type { ServiceClock } from '../../../live/index.ts'
import type { Config } from '../../../strategy/config.ts'
import { modeWarnings } from '../../../strategy/modeWarnings.ts'
import { neverEnters } from '../../../strategy/neverEnters.ts'
import { controlText, readControl, readRunNotes, takeDeadRuns } from '../../control.ts'
import { makeDataDir, tightenDataDir } from '../../dataDir.ts'
import { EXIT, exitCodeOfAll } from '../../exit.ts'
import { loadConfig } from '../../loadConfig.ts'
import { createLog, type Logger } from '../../log.ts'
import { LogFile } from '../../logFile.ts'
import { printDocument } from '../../owed.ts'
import { pickBots } from '../../pickBots.ts'
import { openService, type ServiceAccess } from '../../service.ts'
import { expectShapes } from '../../shapesFile.ts'
import { hearUncaught } from '../../unfinished.ts'
import type { FleetOption } from '../fleet/openFleet.ts'
import { requestsOf } from '../marketRequests.ts'
import { checkDashboard, prepareDashboard } from './dashboard.ts'
import { type OwnersDesk, openAlertChannels, openDesk } from './desk.ts'
import { expectJournals } from './expectJournals.ts'
import { Fleet, type OpenedHost, serviceClock } from './fleet.ts'
import { ControlFollower } from './followControl.ts'
import { doubtOf, leftOpenBy, leftOpenText } from './leftOpen.ts'
import type { HostOptions } from './openHost.ts'
import { probeFirst } from './probeFirst.ts'
import { formatReport, reportOf } from './report.ts'
import { sayMarket } from './sayMarket.ts'
import { Screen } from './screen/screen.ts'
import { settledContests } from './settledContests.ts'
import { type Signal, Signals } from './signals.ts'
import { openWebhooks, type Webhooks } from './webhooks.ts'

export interface StartOptions {
  readonly config: string
  readonly bot?: readonly string[]
  readonly for?: number
  readonly contests?: number
  readonly dataDir: string
  readonly dryRun?: boolean
  readonly json?: boolean
  readonly dashboard: boolean
  readonly host: string
  readonly port: number
  readonly fleet?: FleetOption
  readonly hostName?: string
}

/** A drain that takes longer than this is given up: what is open is taken up by the next run. */
const DRAIN_MS = 120_000
/** How often it is looked whether npm, which was to pass a SIGTERM on, has died of it instead. */
const LOOK_FOR_NPM_MS = 1000

export async function start(options: StartOptions): Promise<number> {
  const signals = new Signals()
  try {
    return await open(options, signals)
  } finally {
    signals.close()
  }
}

async function open(options: StartOptions, signals: Signals): Promise<number> {
  const startedAt = performance.now()
  const whole = await loadConfig(options.config)
  const isInFleet = options.fleet !== undefined || whole.fleet !== undefined
  const picked = pickBots(whole, options.bot)
  const config = isInFleet ? withKeysHere(picked) : picked
  expectShapes(config, options.config)
  // Before anything is started: a kill switch that cannot be read is none that can be ignored.
  readControl(options.dataDir)
  if (options.dryRun !== true) expectJournals({ dataDir: options.dataDir, bots: config.bots.map(({ name }) => name), isInFleet })
  if (options.dashboard) checkDashboard(options.host)
  // Of a dry run nothing happened that anybody is to be told of.
  const channels = options.dryRun === true ? [] : openAlertChannels(config, options.config, systemClock)
  const isTerminal = process.stderr.isTTY === true
  const screen = isTerminal ? new Screen() : undefined
  const file = new LogFile({ onTrouble: (message) => log.warn(message), now: systemClock.now })
  const log: Logger = createLog({ pretty: isTerminal, file, ...(screen === undefined ? {} : { sink: screen }) })
  // A strategy that subscribes by hand and throws in its callback must not end the process.
  rxjs.onUnhandledError = (thrown: unknown) => log.error({ err: thrown }, `a strategy failed outside its calls: ${messageOf(thrown)}`)
  for (const bot of config.bots) {
    for (const { message } of modeWarnings(bot)) log.warn({ bot: bot.name }, message)
    const idle = neverEnters(bot)
    if (idle !== undefined) log.warn({ bot: bot.name }, idle)
  }
  if (config.service.kind === 'sandbox') log.info('starting the sandbox: reading its prices')
  const access = await openService(config, { dataDir: options.dataDir, configFile: options.config })
  if (access.sandbox !== undefined) log.info(`sandbox at ${access.url}: play money, recorded prices`)
  const requests = requestsOf(config, access)
  if (requests !== undefined && requests.verdict !== 'ok') log.warn(requests.message)
  const clock = serviceClock(steadyClock, log, systemClock)
  let webhooks: Webhooks | undefined
  try {
    takeDataDir(options.dataDir, log)
    // Two processes that rotate one file would lose lines of both, and of a dry run nothing is kept.
    if (options.dryRun !== true && readRunNotes(options.dataDir).length === 0) file.open(join(options.dataDir, 'log'))
    // A dry run may be beside the bots, who hold the port: it polls.
    if (options.dryRun !== true) webhooks = await openWebhooks(config, { access, clock, log, configFile: options.config })
    return await play({ config, whole, isInFleet, access, channels, webhooks, clock, log, screen, startedAt, signals, options })
  } finally {
    screen?.close()
    await webhooks?.close()
    await access.close()
    await file.close()
  }
}

/** Whoever is no host of a fleet loads nothing of one. */
async function openedHost(options: HostOptions): Promise<OpenedHost> {
  const { openHost } = await import('./openHost.ts')
  const { HostedBots } = await import('./hostedBots.ts')
  return { settings: await openHost(options), open: (opening) => new HostedBots(opening) }
}

/**
 * The bots that a host of a fleet could play: it has their keys.
 *
 * @throws CornermanError `USAGE` where the service is this host's alone
 */
function withKeysHere(config: Config): Config {
  if (config.service.kind === 'sandbox')
    throw new CornermanError(
      'USAGE',
      "start --fleet: the sandbox of a config is this host's alone: run one for all with cornerman sandbox, and name it with contestService({ url })",
    )
  const bots = config.bots.filter(({ agentKey }) => agentKey !== undefined && (process.env[agentKey.secret] ?? '') !== '')
  // Without any it is a mistake, which is said of the first.
  return bots.length === 0 ? config : { ...config, bots }
}

/** Says once what has changed for those who could read it until now, and what could not be. */
function takeDataDir(dataDir: string, log: Logger): void {
  makeDataDir(dataDir)
  const { tightened, failure } = tightenDataDir(dataDir)
  if (tightened > 0) log.info(`${dataDir}: ${tightened} folders and files that others could read are this user's alone now`)
  if (failure !== undefined)
    log.warn(
      `${dataDir} holds salts and keys, and others may read it (${failure}): keep it on a file system with permissions, as its owner`,
    )
}

interface Play {
  readonly config: Config
  /** With the bots that this run leaves out. */
  readonly whole: Config
  readonly isInFleet: boolean
  readonly access: ServiceAccess
  readonly channels: ReturnType<typeof openAlertChannels>
  readonly webhooks: Webhooks | undefined
  readonly clock: ServiceClock
  readonly log: Logger
  readonly screen: Screen | undefined
  readonly startedAt: number
  readonly signals: Signals
  readonly options: StartOptions
}

async function play(started: Play): Promise<number> {
  const { config, whole, isInFleet, access, channels, webhooks, clock, log, screen, startedAt, signals, options } = started
  // A dry run claims nothing, and is beside whoever plays.
  const own =
    isInFleet && options.dryRun !== true
      ? await openedHost({ fleet: options.fleet, hostName: options.hostName, configFile: options.config, config: whole })
      : undefined
  const follower = new ControlFollower({ dataDir: options.dataDir, log, shared: own?.settings.word })
  // Of a run that died those who play are told, not a dry run.
  const diedBefore = options.dryRun === true ? [] : takeDeadRuns(options.dataDir)
  const { host, port, dataDir } = options
  const dashboard = options.dashboard ? prepareDashboard({ host, port, dataDir, log }) : undefined
  const said = controlText(follower.control)
  if (said !== undefined) log.warn(`${said} by the operator: npm run cornerman -- stop --resume lets the bots play on`)
  // What the operator has stopped plays nothing, a probe neither.
  if (said === undefined && options.dryRun !== true) await probed({ config, access, clock, log, signals, options })
  const fleet = new Fleet({
    ...{ config, access, dataDir: options.dataDir, clock, log },
    saidFor: follower.saidFor,
    configFile: resolve(options.config),
    isDryRun: options.dryRun === true,
    ...(own === undefined ? {} : { host: own }),
    wakes: webhooks?.wakes ?? new Map(),
  })
  void sayMarket({ config, access, log, budget: fleet.marketBudget })
  // From the first moment on: that a bot has caught up is said once.
  const settled$ = new BehaviorSubject(0)
  settledContests(fleet.change$).subscribe(settled$)
  webhooks?.follow(fleet.bots)
  let desk: OwnersDesk | undefined
  try {
    desk = await openDesk({
      ...{ config, channels, fleet, follower, clock, log, diedBefore, dashboard, dataDir: options.dataDir },
      isDryRun: options.dryRun === true,
    })
    follower.follow((saidFor) => fleet.obey(saidFor))
    screen?.show(desk.watch, desk.url)
    const ended = await untilEnded(fleet, { ...options, settled$, signals }, log)
    screen?.close()
    const report = reportOf(fleet, Math.round(performance.now() - startedAt))
    if (options.json === true) printDocument(report)
    else process.stdout.write(formatReport(report))
    if (ended === 'stoppedAtOnce') return EXIT.interrupted
    const code = exitCodeOfAll(fleet.bots.flatMap((bot) => bot.failure ?? doubtOf(bot) ?? []))
    return ended === 'broken' && code === EXIT.done ? EXIT.failed : code
  } finally {
    screen?.close()
    follower.close()
    await fleet.stop()
    await desk?.close()
  }
}

/** A service without a mapping is probed first, where the config consents to that. */
async function probed({
  config,
  access,
  clock,
  log,
  signals,
  options,
}: Pick<Play, 'config' | 'access' | 'clock' | 'log' | 'signals' | 'options'>): Promise<void> {
  const stopping = new AbortController()
  if (config.service.kind === 'contestService' && config.service.probe !== undefined) signals.listen(() => stopping.abort())
  await probeFirst({ config, access, clock, log, configFile: options.config, dataDir: options.dataDir, signal: stopping.signal })
}

/** What ends a run of its own accord. */
interface Ends extends Pick<StartOptions, 'for' | 'contests'> {
  /** Contests that were settled so far. */
  readonly settled$: Observable<number>
  readonly signals: Signals
}

/** `stoppedAtOnce`: with things left open; `broken`: it drained because of an error nobody caught. */
type Ended = 'drained' | 'stoppedAtOnce' | 'broken'

const openIn = ({ bots }: Fleet) =>
  bots.map((bot) => {
    const status = bot.status()
    return status === undefined ? undefined : leftOpenBy(status)
  })

async function untilEnded(fleet: Fleet, options: Ends, log: Logger): Promise<Ended> {
  let drainTimer: NodeJS.Timeout | undefined
  let isDraining = false
  let isInterrupted = false
  let isBroken = false
  const { promise: stopped, resolve: stop } = Promise.withResolvers<boolean>()
  const drain = (why: string) => {
    if (isDraining) return
    isDraining = true
    log.info(`${why}: draining`)
    drainTimer = setTimeout(() => {
      log.warn('not drained after 2 minutes: stopping; the next run takes up what is open')
      stop(false)
    }, DRAIN_MS)
    fleet.drain()
  }
  const onSignal = (signal: Signal) => {
    // Whoever closes a terminal wants no more of it than a Ctrl-C does.
    if (signal === 'SIGHUP') drain('its terminal was closed')
    else if (isInterrupted) {
      log.warn(`interrupted again: stopping at once; left open, for the next run to take up: ${leftOpenText(openIn(fleet))}`)
      stop(true)
    } else {
      isInterrupted = true
      // It may drain of its own accord, when its time is up: whoever asks for that once more loses no stake by it.
      if (isDraining) log.info('interrupted while draining: once more stops at once')
      else drain('interrupted (once more stops at once)')
    }
  }
  // Nobody knows what it leaves undone: no new money is staked, and what is open is played to its end.
  const onBroken = (thrown: unknown) => {
    isBroken = true
    log.error({ err: thrown }, `an error that nobody caught: ${messageOf(thrown)}`)
    drain('an error that nobody caught')
  }
  // Nobody reads it any more, its disk is full, its terminal is gone: each line fails again, those that would say so too.
  const onLogBroken = () => {
    isBroken = true
    drain('the log cannot be written')
  }
  const npm = process.ppid
  const npmWatch =
    process.env.npm_lifecycle_event === undefined
      ? undefined
      : setInterval(() => {
          if (process.ppid !== npm) drain('npm, which started this, has ended')
        }, LOOK_FOR_NPM_MS)
  const startedAt = steadyClock.now()
  const cancelFor = options.for === undefined ? () => {} : steadyClock.at(startedAt + options.for, () => drain('time is up'))
  const counting = options.settled$.subscribe((settled) => {
    if (options.contests !== undefined && settled >= options.contests) drain(`${settled} contests settled`)
  })
  const hearNoMore = hearUncaught(onBroken)
  process.stderr.on('error', onLogBroken)
  options.signals.listen(onSignal)
  try {
    const isStoppedAtOnce = await Promise.race([stopped, fleet.ended().then(() => false)])
    return isStoppedAtOnce ? 'stoppedAtOnce' : isBroken ? 'broken' : 'drained'
  } finally {
    hearNoMore()
    process.stderr.off('error', onLogBroken)
    clearInterval(npmWatch)
    cancelFor()
    clearTimeout(drainTimer)
    counting.unsubscribe()
    options.signals.close()
  }
}
