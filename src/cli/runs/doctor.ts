import { accessSync, constants, existsSync, mkdirSync, statfsSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { MODES } from '../../contract/modes.ts'
import { type FieldName, PIECE_OF } from '../../contract/paths.ts'
import { isKeyRefused } from '../../contract/refusals.ts'
import { hashOf } from '../../contract/shapes/reading.ts'
import { PROBE_FIRST } from '../../contract/shapes/remedy.ts'
import { lackingIn, nameOf, type Piece, type Shapes } from '../../contract/shapes/shapes.ts'
import { Translator } from '../../contract/shapes/translator.ts'
import { CornermanError, messageOf } from '../../core/error.ts'
import { systemClock } from '../../core/systemClock.ts'
import { formatUsdc } from '../../core/usdc.ts'
import { deadHolderOf, type HttpService, holderOf, isHeld, proxySettings, tryIsolated, WebhookReceiver } from '../../live/index.ts'
import type { AlertChannel } from '../../pipeline/index.ts'
import type { BotConfig, Config } from '../../strategy/config.ts'
import { modeWarnings } from '../../strategy/modeWarnings.ts'
import { neverEnters } from '../../strategy/neverEnters.ts'
import { controlText, readControl, readRunNotes } from '../control.ts'
import { exposedIn, hasModes, makeDataDir } from '../dataDir.ts'
import { EXIT } from '../exit.ts'
import { journalFile } from '../journals.ts'
import { loadConfig } from '../loadConfig.ts'
import { isoTime } from '../output.ts'
import { openService, runningSandbox, type ServiceAccess, serviceOf } from '../service.ts'
import { expectShapes, type GivenShapes, givenShapes, overlaid } from '../shapesFile.ts'
import { marketChecks } from './doctorMarket.ts'
import { type Check, listsOf, swapsOf } from './doctorReads.ts'
import { requestChecks } from './marketRequests.ts'
import { openAlertChannels } from './start/desk.ts'
import { foundShapes, foundShapesFile, isNamedSandbox } from './start/serviceMapping.ts'
import { LOOPBACK, webhookSecrets } from './start/webhooks.ts'

export interface DoctorOptions {
  readonly config: string
  readonly dataDir: string
  readonly json?: boolean
  readonly notify?: boolean
}

const SMALLEST_FREE_BYTES = 500 * 1024 * 1024
/** The service's `date` header counts whole seconds. */
const SKEW_WARN_MS = 2000
const SKEW_FAIL_MS = 60_000

export async function doctor(options: DoctorOptions): Promise<number> {
  const checks = await examine(options)
  const isWell = checks.every(({ verdict }) => verdict !== 'fail')
  if (options.json === true) process.stdout.write(`${JSON.stringify({ ok: isWell, checks })}\n`)
  else for (const { name, verdict, message } of checks) process.stdout.write(`${verdict.padEnd(5)} ${name.padEnd(18)} ${message}\n`)
  return isWell ? EXIT.done : EXIT.failed
}

async function examine(options: DoctorOptions): Promise<Check[]> {
  // A config that cannot be read is a usage error like anywhere else: there is nothing to examine.
  const config = await loadConfig(options.config)
  expectShapes(config, options.config)
  const { bots } = config
  const checks: Check[] = [
    { name: 'node', verdict: 'ok', message: process.version },
    {
      name: 'config',
      verdict: 'ok',
      message: `${options.config}: ${bots.length} ${bots.length === 1 ? 'bot' : 'bots'} (${bots.map(({ name }) => name).join(', ')})`,
    },
    ...bots.flatMap((bot): Check[] => {
      const message = neverEnters(bot)
      return message === undefined ? [] : [{ name: `${bot.name}: entries`, verdict: 'warn', message }]
    }),
    ...bots.flatMap((bot) => modeWarnings(bot).map(({ message }): Check => ({ name: `${bot.name}: modes`, verdict: 'warn', message }))),
    ...(await Promise.all(bots.map((bot) => isolatedOf(bot, { file: resolve(options.config), dataDir: options.dataDir })))).flat(),
    ...proxiesOf(),
    diskOf(options.dataDir),
    ...privacyOf(options.dataDir),
    operatorOf(options.dataDir),
    await webhooksOf(config, options),
    ...(await alertsOf(config, options)),
  ]
  const running = config.service.kind === 'sandbox' ? runningSandbox(options.dataDir) : undefined
  checks.push(lockOf(options.dataDir, running?.pid))
  checks.push(...bots.flatMap(({ name }) => journalOf(name, options.dataDir)))
  if (running !== undefined) {
    const keys = new Map(running.agents.map(({ name, key }) => [name, key]))
    return [...checks, ...(await examineService(config, { url: running.url, keys, timeoutMs: 5000 }, {}))]
  }
  let access: ServiceAccess
  try {
    access = await openService(config, { dataDir: options.dataDir, configFile: options.config })
  } catch (thrown) {
    return [...checks, { name: 'service', verdict: 'fail', message: messageOf(thrown) }]
  }
  try {
    const onService = await examineService(config, access, mappingsOf(config, options))
    const isReached = onService.every(({ name, verdict }) => name !== 'service' || verdict === 'ok')
    const swaps = isReached ? await swapsOf(bots, access, ({ name }) => serviceOf(access, name)) : []
    return [...checks, ...onService, ...(await marketChecks(config, access)), ...(await requestChecks(config, access)), ...swaps]
  } finally {
    await access.close()
  }
}

/** An isolated process has no keys and an empty environment: what loads here need not load there. Nothing is said of a bot that isolates nothing. */
async function isolatedOf(bot: BotConfig, files: { readonly file: string; readonly dataDir: string }): Promise<Check[]> {
  const name = `${bot.name}: isolate`
  try {
    const names = await tryIsolated(files, bot)
    return names.length === 0 ? [] : [{ name, verdict: 'ok', message: `${names.join(', ')}: each loads in a process of its own` }]
  } catch (thrown) {
    return [{ name, verdict: 'fail', message: messageOf(thrown) }]
  }
}

/** Nothing is said where the environment names none. */
function proxiesOf(): Check[] {
  return proxySettings().map(({ name, value }) => ({ name: 'proxy', verdict: 'ok', message: `${name} is ${value}` }))
}

function diskOf(dataDir: string): Check {
  try {
    const folder = join(dataDir, 'bots')
    makeDataDir(dataDir)
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    // It may be there already, and be somebody else's.
    for (const each of [dataDir, folder]) accessSync(each, constants.W_OK | constants.X_OK)
    const { bavail, bsize } = statfsSync(dataDir)
    const free = bavail * bsize
    const message = `${(free / 1024 ** 3).toFixed(1)} GiB free for ${dataDir}`
    return free < SMALLEST_FREE_BYTES
      ? { name: 'disk', verdict: 'warn', message: `${message}: a full disk stops the bots; make room` }
      : { name: 'disk', verdict: 'ok', message }
  } catch (thrown) {
    return { name: 'disk', verdict: 'fail', message: `${dataDir} cannot be written (${messageOf(thrown)}): name another with --data-dir` }
  }
}

/** Salts and keys are for one user. Nothing is said of a folder that cannot be looked at: that is said of the disk. */
function privacyOf(dataDir: string): Check[] {
  const name = 'data directory'
  if (!hasModes)
    return [{ name, verdict: 'ok', message: `${dataDir}: who may read it is a matter of its access control list, which is not looked at` }]
  if (!existsSync(dataDir)) return []
  const [first, ...others] = exposedIn(dataDir)
  if (first === undefined) return [{ name, verdict: 'ok', message: `${dataDir} is for this user alone` }]
  const more = others.length === 0 ? '' : ` and ${others.length} more`
  const message = `others can read ${first.path}${more}, with salts and keys: the next start takes that away, and so does chmod -R go= ${dataDir}`
  return [{ name, verdict: 'fail', message }]
}

/** Whatever plays there: on a sandbox, which has a note of its own, or elsewhere. */
function lockOf(dataDir: string, sandboxPid: number | undefined): Check {
  const pids = new Set([...readRunNotes(dataDir).map(({ pid }) => pid), ...(sandboxPid === undefined ? [] : [sandboxPid])])
  const message = pids.size === 0 ? 'no other run on this data directory' : `process ${[...pids].join(', ')} runs on it`
  return { name: 'lock', verdict: 'ok', message }
}

/** Nothing is said of a journal that nobody holds and that was closed in order. */
function journalOf(bot: string, dataDir: string): Check[] {
  const [name, file] = [`${bot}: journal`, journalFile(dataDir, bot)]
  if (!existsSync(file)) return []
  if (isHeld(file)) return [{ name, verdict: 'ok', message: `${file} is held by ${holderOf(file)}` }]
  const dead = deadHolderOf(file)
  if (dead === undefined) return []
  return [
    {
      name,
      verdict: 'ok',
      message: `stale lock: process ${dead} died while it held ${file}; nobody does now, and the next start takes it up`,
    },
  ]
}

function operatorOf(dataDir: string): Check {
  try {
    const said = controlText(readControl(dataDir))
    if (said === undefined) return { name: 'operator', verdict: 'ok', message: 'has stopped nothing' }
    return { name: 'operator', verdict: 'warn', message: `${said}: npm run cornerman -- stop --resume lets the bots play on` }
  } catch (thrown) {
    return { name: 'operator', verdict: 'fail', message: messageOf(thrown) }
  }
}

async function webhooksOf({ bots, service, webhooks }: Config, { dataDir, config: configFile }: DoctorOptions): Promise<Check> {
  if (webhooks === undefined) return { name: 'webhooks', verdict: 'ok', message: 'none: the bots poll' }
  try {
    const isSandbox = service.kind === 'sandbox'
    const names = isSandbox ? bots.map(({ name }) => name) : [...webhookSecrets(bots, configFile).keys()]
    if (readRunNotes(dataDir).length > 0)
      return {
        name: 'webhooks',
        verdict: 'ok',
        message: `for ${names.join(', ')}; the port was not tried, since bots run on this data directory`,
      }
    const receiver = await WebhookReceiver.open({ ...webhooks, ...(isSandbox ? { host: LOOPBACK } : {}), clock: systemClock })
    const message = `for ${names.join(', ')}, at ${receiver.url}/webhooks/<bot>: the port is free`
    await receiver.close()
    return { name: 'webhooks', verdict: 'ok', message }
  } catch (thrown) {
    return { name: 'webhooks', verdict: 'fail', message: messageOf(thrown) }
  }
}

/** Each channel of alerts; with `--notify` a test is sent to it. */
async function alertsOf(config: Config, { config: configFile, notify = false }: DoctorOptions): Promise<Check[]> {
  if (config.alerts.length === 0) return [{ name: 'alerts', verdict: 'ok', message: 'none: nobody is told when something is wrong' }]
  try {
    const channels = openAlertChannels(config, configFile, systemClock)
    return await Promise.all(channels.map(({ channel }) => testOf(channel, notify)))
  } catch (thrown) {
    return [{ name: 'alerts', verdict: 'fail', message: messageOf(thrown) }]
  }
}

async function testOf(channel: AlertChannel, notify: boolean): Promise<Check> {
  const name = `alerts: ${channel.name}`
  try {
    if (!notify) return { name, verdict: 'ok', message: 'was not tried: doctor --notify sends a test' }
    const message = 'a test: alerts of your bots arrive here'
    const delivery = await channel.send([{ at: systemClock.now(), bot: 'doctor', kind: 'operator', severity: 'info', message }])
    return delivery.ok ? { name, verdict: 'ok', message: 'took a test' } : { name, verdict: 'fail', message: delivery.reason }
  } finally {
    await channel.close()
  }
}

async function examineService(
  config: Config,
  access: Pick<ServiceAccess, 'url' | 'keys' | 'timeoutMs'>,
  mappings: Mappings,
): Promise<Check[]> {
  const { known } = mappings
  const checks: Check[] = []
  for (const bot of config.bots) {
    const service = serviceOf(access, bot.name)
    if (known !== undefined) service.translator = new Translator(known.shapes)
    try {
      const isFirst = checks.length === 0
      checks.push(...(await examineBot(bot, service, isFirst)))
      if (isFirst && config.service.kind === 'contestService') checks.push(...(await shapesOf(config, service, mappings)))
    } catch (thrown) {
      checks.push({
        name: 'service',
        verdict: 'fail',
        message: `${access.url} does not answer as the service does (${messageOf(thrown)}): check service.url and the network`,
      })
      return checks
    } finally {
      await service.close()
    }
  }
  return checks
}

/** The mapping that a start would read the service by, and where it is from. */
interface KnownMapping {
  readonly shapes: Shapes
  readonly from: string
}

/** A mapping of long ago may be of a service that was another then. */
const withDate = (file: string): string => (existsSync(file) ? `${file} of ${isoTime(statSync(file).mtimeMs).slice(0, 10)}` : file)

/** What the config gives of a mapping, and what a start would read the service by. */
interface Mappings {
  readonly given?: GivenShapes | undefined
  readonly known?: KnownMapping
}

function mappingsOf({ service }: Config, { config: configFile, dataDir }: DoctorOptions): Mappings {
  if (service.kind !== 'contestService') return {}
  const given = givenShapes(service, configFile)
  if (given?.isWhole === true) return { given, known: { shapes: given.shapes, from: given.from.map(withDate).join(', over it ') } }
  const found = foundShapes(dataDir, service)
  if (found === undefined) return { given }
  const from = [`${withDate(foundShapesFile(dataDir))}, by a start`, ...(given?.from ?? [])].join(', over it ')
  return { given, known: { shapes: overlaid(found, given?.shapes), from } }
}

/** What to write where `paths` are; of several places for one field only a person can say which it is. */
function insteadOf(fields: readonly FieldName[], shapes: Shapes | undefined): string {
  const pieces = fields.map((field) => PIECE_OF[field] ?? (field as Piece))
  const said = pieces.flatMap((piece) => (shapes?.pieces?.[piece] === undefined ? [] : [[piece, shapes.pieces[piece]]]))
  const unsaid = fields.filter((_, index) => shapes?.pieces?.[pieces[index] as Piece] === undefined)
  const whole = said.length === 0 ? [] : [`write shapes: ${JSON.stringify({ pieces: Object.fromEntries(said) })} instead`]
  const rest = unsaid.length === 0 ? [] : [`say the one place of ${unsaid.join(', ')} in shapes.pieces`]
  return [...whole, ...rest].join(', and ')
}

/** The mapping, and what each mode that a bot may enter lacks of it. */
async function shapesOf({ bots, service }: Config, http: HttpService, { given, known }: Mappings): Promise<Check[]> {
  if (service.kind !== 'contestService') return []
  const replaced = Object.keys(service.paths) as FieldName[]
  const paths: Check[] =
    replaced.length === 0
      ? []
      : [
          {
            name: 'paths',
            verdict: 'warn',
            message: `service.paths are of before: ${insteadOf(replaced, given?.shapes)} (docs/shapes.md)`,
          },
        ]
  if (known === undefined) {
    if (await isNamedSandbox(http, service))
      return [...paths, { name: 'shapes', verdict: 'ok', message: "this project's sandbox: its answers are known" }]
    const message = `never probed, and nothing is entered: ${PROBE_FIRST}`
    return [...paths, { name: 'shapes', verdict: 'fail', message }]
  }
  const { shapes, from } = known
  const lacking = lackingIn(shapes)
  const wanted = MODES.filter((mode) => bots.some(({ guard }) => guard.modes.includes(mode)))
  const modes = wanted.map((mode): Check => {
    const needs = lacking.get(mode)
    const name = `modes: ${mode}`
    if (needs === undefined) return { name, verdict: 'ok', message: 'can be played by the mapping' }
    return { name, verdict: 'warn', message: `lacks ${needs.map(nameOf).join(', ')}: it is not entered` }
  })
  const count = Object.keys(shapes.pieces ?? {}).length
  return [...paths, { name: 'shapes', verdict: 'ok', message: `${from}: ${count} pieces, ${hashOf(shapes).slice(0, 12)}` }, ...modes]
}

async function examineBot(bot: BotConfig, service: HttpService, isFirst: boolean): Promise<Check[]> {
  const checks: Check[] = []
  const askedAt = Date.now()
  const answer = await service.raw('read', 'agent.me', null)
  const said = answer.ok ? '' : `HTTP ${answer.status}: ${answer.said.replace(/\s+/g, ' ')}`
  // Only the service itself can say something of the key: this may be anything on the way to it.
  if (!answer.ok && !isKeyRefused(answer.refusal)) throw new CornermanError('SERVICE_UNREACHABLE', said)
  if (isFirst) checks.push({ name: 'service', verdict: 'ok', message: 'reachable' }, skewOf(askedAt, Date.now(), answer.dateMs))
  if (!answer.ok) {
    return [
      ...checks,
      {
        name: `${bot.name}: key`,
        verdict: 'fail',
        message: `refused with ${said}; check the secret named by agentKey`,
      },
    ]
  }
  checks.push({ name: `${bot.name}: key`, verdict: 'ok', message: 'accepted' })
  const limits = await service.read({ procedure: 'agent.limits', input: null })
  if (!limits.ok) return [...checks, { name: `${bot.name}: limits`, verdict: 'fail', message: limits.reason }]
  const { maxStake, dailyLossCap, remaining } = limits.output
  const message = `stake cap ${formatUsdc(maxStake)} USDC, daily loss cap ${formatUsdc(dailyLossCap)}, ${formatUsdc(remaining)} left today`
  const isOver = bot.guard.maxStake > maxStake || bot.guard.dailyLoss > dailyLossCap
  checks.push({
    name: `${bot.name}: limits`,
    verdict: isOver ? 'warn' : 'ok',
    message: isOver ? `${message}; this bot's guard allows more: the service's caps hold` : message,
  })
  checks.push(await listsOf(bot, service))
  return checks
}

function skewOf(askedAt: number, answeredAt: number, dateMs: number | undefined): Check {
  if (dateMs === undefined) return { name: 'clock', verdict: 'warn', message: 'the service does not say what time it is' }
  const skewMs = dateMs > answeredAt ? dateMs - answeredAt : Math.min(0, dateMs + 1000 - askedAt)
  const message =
    Math.abs(skewMs) === 0 ? 'agrees with the service' : `${Math.abs(skewMs)} ms ${skewMs > 0 ? 'behind' : 'ahead of'} the service`
  if (Math.abs(skewMs) > SKEW_FAIL_MS)
    return { name: 'clock', verdict: 'fail', message: `${message}: set this machine's clock, or reveals come too late` }
  return { name: 'clock', verdict: Math.abs(skewMs) > SKEW_WARN_MS ? 'warn' : 'ok', message }
}
