import type { Observable } from 'rxjs'
import type { Clock } from '../../../core/clock.ts'
import { CornermanError } from '../../../core/error.ts'
import { type RefusedDelivery, WebhookReceiver } from '../../../live/index.ts'
import type { BotConfig, Config } from '../../../strategy/config.ts'
import { revealSecret } from '../../loadConfig.ts'
import type { Logger } from '../../log.ts'
import type { ServiceAccess } from '../../service.ts'
import type { FleetBot } from './fleetBot.ts'

/** Where the embedded sandbox's webhooks go, whatever the config says: they need not leave the machine. */
export const LOOPBACK = '127.0.0.1'
const SECRET_PREFIX = 'whsec_'
/** Anyone can send nonsense: of each bot, refusals are said once in so long. */
const SAID_EVERY_MS = 60_000

/** The webhooks of a run. */
export interface Webhooks {
  /** By bot: its agent's webhooks, each time a good one comes. */
  readonly wakes: ReadonlyMap<string, Observable<void>>
  /** From now on a webhook has to be for the agent that its bot has found itself to be. */
  follow(bots: readonly FleetBot[]): void
  close(): Promise<void>
}

const NO_WEBHOOKS: Webhooks = { wakes: new Map(), follow: () => {}, close: () => Promise.resolve() }

export interface WebhooksOptions {
  readonly access: Pick<ServiceAccess, 'sandbox'>
  readonly clock: Clock
  /** The clock that the service signs deliveries by. Default: `clock`. */
  readonly serviceTime?: Pick<Clock, 'now'>
  readonly log: Logger
  readonly configFile: string
}

/**
 * Listens for the webhooks of every bot that has a secret. With the embedded sandbox that is every bot, on loopback: the
 * sandbox is told where, and says the secrets.
 *
 * @throws CornermanError `SECRET_MISSING`, `WEBHOOK_SECRET`, `WEBHOOK_PORT`
 */
export async function openWebhooks(
  config: Config,
  { access, clock, serviceTime = clock, log, configFile }: WebhooksOptions,
): Promise<Webhooks> {
  const { sandbox } = access
  const secrets = sandbox === undefined ? webhookSecrets(config.bots, configFile) : new Map<string, readonly string[]>()
  if (config.webhooks === undefined || (sandbox === undefined && secrets.size === 0)) return NO_WEBHOOKS
  const { port, host } = config.webhooks
  const onRefused = refusalLog(clock, log)
  const receiver = await WebhookReceiver.open({ port, host: sandbox === undefined ? host : LOOPBACK, clock: serviceTime, onRefused })
  try {
    for (const { name, agentId } of sandbox?.agents ?? [])
      secrets.set(name, [(await sandbox?.webhooks.set(agentId, `${receiver.url}/webhooks/${name}`))?.secret ?? ''])
  } catch (thrown) {
    await receiver.close()
    throw thrown
  }
  const stated = new Map<string, () => string | undefined>()
  const wakes = new Map(
    [...secrets].map(([bot, own]) => [bot, receiver.admit(bot, { secrets: own, agentId: () => stated.get(bot)?.() })] as const),
  )
  log.info(`webhooks: listening at ${receiver.url}/webhooks/<bot> for ${[...wakes.keys()].join(', ')}`)
  return {
    wakes,
    follow: (bots) => {
      for (const bot of bots) stated.set(bot.name, () => bot.statedAgentId)
    },
    close: () => receiver.close(),
  }
}

/**
 * The secrets of the bots that have any, by bot.
 *
 * @throws CornermanError `SECRET_MISSING`, `WEBHOOK_SECRET`
 */
export function webhookSecrets(bots: readonly BotConfig[], configFile: string): Map<string, readonly string[]> {
  const secrets = new Map<string, readonly string[]>()
  for (const [index, { name, webhookSecret }] of bots.entries()) {
    if (webhookSecret === undefined) continue
    const field = `${configFile}: bots[${index}].webhookSecret`
    const revealed = webhookSecret.map((one) => {
      const value = revealSecret(one, field)
      // The value itself is a secret, maybe another one, and stays out of the message.
      if (!value.startsWith(SECRET_PREFIX))
        throw new CornermanError(
          'WEBHOOK_SECRET',
          `${field}: the environment variable ${one.secret} holds no webhook secret: the service shows one, ${SECRET_PREFIX}…, when the URL is set`,
        )
      return value
    })
    secrets.set(name, revealed)
  }
  return secrets
}

const WHY: Readonly<Record<RefusedDelivery['reason'], string>> = {
  unsigned: 'it is not signed as the service signs',
  stale: 'it was signed more than five minutes from now',
  forged: 'its signature is not by a secret of a bot here; a new webhook URL has a new secret',
  otherAgent: 'it is for another agent: the URL of one bot is set for the agent of another',
  unreadable: 'it is signed, but not of the form that the service documents',
  tooLarge: 'it is over 64 KiB',
  notPosted: 'it was not sent by POST',
  notFound: 'webhooks are taken at /webhooks/<bot> alone',
}

/** Says that deliveries are refused: for each bot, and for none, at most once a minute. */
function refusalLog(clock: Clock, log: Logger): (refused: RefusedDelivery) => void {
  const said = new Map<string | undefined, { at: number; more: number }>()
  return ({ bot, reason }) => {
    const last = said.get(bot)
    if (last !== undefined && clock.now() - last.at < SAID_EVERY_MS) {
      last.more += 1
      return
    }
    said.set(bot, { at: clock.now(), more: 0 })
    const more = last === undefined || last.more === 0 ? '' : ` (and ${last.more} more since the last time this was said)`
    log.warn({ ...(bot === undefined ? {} : { bot }), reason }, `a webhook was refused: ${WHY[reason]}${more}`)
  }
}
