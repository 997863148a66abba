import type { Clock } from '../../core/clock.ts'
import type { AlertChannel, Occurrence } from '../../pipeline/index.ts'
import type { AlertConfig } from '../../strategy/alertConfig.ts'
import type { Secret } from '../../strategy/secret.ts'
import { alertText } from './alertText.ts'
import { DailySummary } from './dailySummary.ts'
import { type PostBody, PostChannel } from './postChannel.ts'
import { TelegramChannel } from './telegramChannel.ts'
import { TelegramChat } from './telegramChat.ts'
import { type ChatDesk, type ChatLog, TelegramCommands } from './telegramCommands.ts'

/** https://discord.com/developers/docs/resources/webhook#execute-webhook */
const MOST_OF_DISCORD = 2000

export interface OpenChannelsOptions {
  readonly clock: Clock
  /** @param field where it stands in the config, for a message */
  readonly reveal: (secret: Secret, field: string) => string
}

export interface AttendOptions {
  readonly desk: ChatDesk
  readonly clock: Clock
  readonly log: ChatLog
  /** Of several that share the chat: whether this one obeys now. Default: it does. */
  readonly isFirst?: () => boolean
  /** Of several that share the chat: whether this one is to do what one of them does, once. Default: it is. */
  readonly once?: (chore: string) => Promise<boolean>
}

export interface OpenedChannel {
  readonly channel: AlertChannel
  readonly config: AlertConfig
  /** Begins to obey commands and to send summaries there, as the config has it, until it is closed. Undefined where nothing can be asked. */
  readonly attend?: (options: AttendOptions) => { close(): Promise<void> }
}

/**
 * The channels of a config, in its order.
 *
 * @throws CornermanError `SECRET_MISSING` or `SECRET_INVALID`
 */
export function openChannels(configs: readonly AlertConfig[], { clock, reveal }: OpenChannelsOptions): readonly OpenedChannel[] {
  const seen = new Map<string, number>()
  return configs.map((config, index) => {
    const place = (seen.get(config.kind) ?? 0) + 1
    seen.set(config.kind, place)
    const name = place === 1 ? config.kind : `${config.kind} ${place}`
    const field = `alerts[${index}].${config.kind === 'telegram' ? 'token' : 'url'}`
    if (config.kind === 'telegram') return openTelegram(config, { name, row: `alerts[${index}]`, token: reveal(config.token, field) })
    const bodyOf = config.kind === 'discord' ? discordBody : webhookBody
    return { config, channel: new PostChannel({ name, url: reveal(config.url, field), clock, bodyOf }) }
  })
}

interface TelegramRow {
  readonly name: string
  /** Place in the config, for errors. */
  readonly row: string
  readonly token: string
}

function openTelegram(config: Extract<AlertConfig, { kind: 'telegram' }>, { name, row, token }: TelegramRow): OpenedChannel {
  const { apiRoot, commands: obeys, summaryAt, timeZone } = config
  const chat = new TelegramChat(config.chat)
  const channel = new TelegramChannel({ name, token, chat, apiRoot })
  const attend = ({ desk, clock, log, isFirst, once }: AttendOptions) => {
    chat.onMoved((id) => {
      log.warn(
        `${name}: the group ${config.chat} has become the supergroup ${id}. ${obeys ? 'Alerts and commands' : 'Alerts'} use it for this run. Write chat: '${id}' in ${row} of the config`,
      )
    })
    const commands = obeys ? new TelegramCommands({ token, chat, apiRoot, desk, clock, log, isFirst }) : undefined
    commands?.start()
    let isLate = false
    let asked: { readonly day: string; readonly isOwn: Promise<boolean> } | undefined
    const send = async (day: string) => {
      // What this one is to send it sends again until it is taken.
      if (once !== undefined && asked?.day !== day) asked = { day, isOwn: once(`summary:${name}:${day}`) }
      if ((await asked?.isOwn) === false) return true
      const failure = await channel.tell(desk.summary())
      if (failure !== undefined && !isLate) log.warn(`the daily summary by ${name} did not arrive (${failure}): it is tried again`)
      isLate = failure !== undefined
      return !isLate
    }
    const summary = summaryAt === undefined ? undefined : new DailySummary({ at: summaryAt, timeZone, clock, send })
    return {
      async close() {
        summary?.close()
        await commands?.close()
      },
    }
  }
  return { config, channel, attend }
}

/** Nobody is called by name: what a strategy logs is not to ring in a whole server. */
function discordBody(occurrences: readonly Occurrence[]): PostBody {
  const { text: content, taken } = alertText(occurrences, MOST_OF_DISCORD)
  return { body: { content, allowed_mentions: { parse: [] } }, taken }
}

const webhookBody = (occurrences: readonly Occurrence[]): PostBody => ({
  body: {
    alerts: occurrences.map(({ at, bot, kind, about, severity, message, contestId, mode, stake }) => ({
      ...{ at, bot, kind, about, severity, message: message.toWellFormed(), contestId, mode, stake: stake?.toString() },
    })),
  },
  taken: occurrences.length,
})
