import { join, resolve } from 'node:path'
import { BehaviorSubject, config as rxjs } from 'rxjs'
import { CornermanError, messageOf } from '../../../core/error.ts'
import { steadyClock, systemClock } from '../../../core/systemClock.ts'
import type { ServiceClock } from '../../../live/index.ts'
import { blamedNow, unblamed } from '../../../pipeline/index.ts'
import type { Config } from '../../../strategy/config.ts'
import { modeWarnings } from '../../../strategy/modeWarnings.ts'
import { neverEnters } from '../../../strategy/neverEnters.ts'
import { controlText, readControl, readRunNotes, takeDeadRuns } from '../../control.ts'
import { makeDataDir, tightenDataDir } from '../../dataDir.ts'
import { EXIT, exitCodeOfAll } from '../../exit.ts'
import { sayHangupsTo } from '../../hangup.ts'
import { loadConfig } from '../../loadConfig.ts'
import { createLog, type Logger } from '../../log.ts'
import { LogFile } from '../../logFile.ts'
import { printDocument } from '../../owed.ts'
import { pickBots } from '../../pickBots.ts'
import { openService, type ServiceAccess } from '../../service.ts'
import { expectShapes } from '../../shapesFile.ts'
import type { FleetOption } from '../fleet/openFleet.ts'
import { requestsOf } from '../marketRequests.ts'
import { checkDashboard, prepareDashboard } from './dashboard.ts'
import { type OwnersDesk, openAlertChannels, openDesk } from './desk.ts'
import { expectJournals } from './expectJournals.ts'
import { Fleet, type OpenedHost } from './fleet.ts'
import { ControlFollower } from './followControl.ts'
import { doubtOf } from './leftOpen.ts'
import type { HostOptions } from './openHost.ts'
import { probeFirst } from './probeFirst.ts'
import { formatReport, reportOf } from './report.ts'
import { sayMarket } from './sayMarket.ts'
import { Screen } from './screen/screen.ts'
import { serviceClock } from './serviceClock.ts'
import { settledContests } from './settledContests.ts'
import { Signals } from './signals.ts'
import { untilEnded } from './untilEnded.ts'
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
  sayHangupsTo(log)
  // A strategy that subscribes by hand and throws in its callback must not end the process.
  rxjs.onUnhandledError = (thrown: unknown) => {
    log.error({ err: thrown }, `a strategy failed outside its calls: ${messageOf(thrown)}`)
    const blamed = blamedNow()
    unblamed(() => blamed?.(thrown))
  }
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
    if (options.dryRun !== true)
      webhooks = await openWebhooks(config, { access, clock, serviceTime: clock.service, log, configFile: options.config })
    return await play({ config, whole, isInFleet, access, channels, webhooks, clock, log, file, screen, startedAt, signals, options })
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
      "start --fleet: the sandbox of a config is this host's alone: run one for all with cornerman sandbox, and name it with contestService({ url, sandbox: true })",
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
  readonly file: LogFile
  readonly screen: Screen | undefined
  readonly startedAt: number
  readonly signals: Signals
  readonly options: StartOptions
}

async function play(started: Play): Promise<number> {
  const { config, whole, isInFleet, access, channels, webhooks, clock, log, file, screen, startedAt, signals, options } = started
  // A dry run claims nothing, and is beside whoever plays.
  const own =
    isInFleet && options.dryRun !== true
      ? await openedHost({
          ...{ fleet: options.fleet, hostName: options.hostName, configFile: options.config, dataDir: options.dataDir, config: whole },
          log,
        })
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
    const ended = await untilEnded(fleet, { ...options, settled$, signals, file }, log)
    screen?.close()
    const report = reportOf(fleet, Math.round(performance.now() - startedAt))
    const onWritten = (error?: Error | null) => {
      if (error) log.info(`stdout cannot be written (${messageOf(error)}): this is the report\n${formatReport(report)}`)
    }
    if (options.json === true) printDocument(report, onWritten)
    else process.stdout.write(formatReport(report), onWritten)
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
