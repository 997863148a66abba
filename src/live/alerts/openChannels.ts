import type { Clock } from '../../core/clock.ts'
import type { AlertChannel, Occurrence } from '../../pipeline/index.ts'
import type { AlertConfig } from '../../strategy/alertConfig.ts'
import type { Secret } from '../../strategy/secret.ts'
import { alertText } from './alertText.ts'
import { type PostBody, PostChannel } from './postChannel.ts'
import { TelegramChannel } from './telegramChannel.ts'

/** https://discord.com/developers/docs/resources/webhook#execute-webhook */
const MOST_OF_DISCORD = 2000

export interface OpenChannelsOptions {
  readonly clock: Clock
  /** @param field where it stands in the config, for a message */
  readonly reveal: (secret: Secret, field: string) => string
}

/**
 * The channels of a config, in its order.
 *
 * @throws CornermanError `SECRET_MISSING` or `SECRET_INVALID`
 */
export function openChannels(
  configs: readonly AlertConfig[],
  { clock, reveal }: OpenChannelsOptions,
): readonly { readonly channel: AlertChannel; readonly config: AlertConfig }[] {
  const seen = new Map<string, number>()
  return configs.map((config, index) => {
    const place = (seen.get(config.kind) ?? 0) + 1
    seen.set(config.kind, place)
    const name = place === 1 ? config.kind : `${config.kind} ${place}`
    const field = `alerts[${index}].${config.kind === 'telegram' ? 'token' : 'url'}`
    if (config.kind === 'telegram') {
      const { chat, apiRoot } = config
      return { config, channel: new TelegramChannel({ name, token: reveal(config.token, field), chat, apiRoot }) }
    }
    const bodyOf = config.kind === 'discord' ? discordBody : webhookBody
    return { config, channel: new PostChannel({ name, url: reveal(config.url, field), clock, bodyOf }) }
  })
}

/** Nobody is called by name: what a strategy logs is not to ring in a whole server. */
function discordBody(occurrences: readonly Occurrence[]): PostBody {
  const { text: content, taken } = alertText(occurrences, MOST_OF_DISCORD)
  return { body: { content, allowed_mentions: { parse: [] } }, taken }
}

const webhookBody = (occurrences: readonly Occurrence[]): PostBody => ({
  body: {
    alerts: occurrences.map(({ at, bot, kind, about, severity, message }) => ({
      ...{ at, bot, kind, about, severity, message: message.toWellFormed() },
    })),
  },
  taken: occurrences.length,
})
