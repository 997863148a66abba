import { z } from 'zod'
import { baseUrl } from './httpUrl.ts'
import { secretSchema } from './secret.ts'

// Where the owner is told of what happens to the bots.

/** What an owner can be told of, from the most frequent on. */
export const ALERT_KINDS = [
  /** A contest was settled. */
  'settled',
  /** Lost and at stake today have come to 80 % of a daily cap. */
  'dailyLoss',
  /** The guard stopped the bot for a while: a daily loss, a drawdown or a cool-down. */
  'guardStop',
  /** The operator stopped bots, or let them play on. */
  'operator',
  /** A trouble is over. */
  'over',
  /** The run before ended without a word; what it left was looked up. */
  'recovered',
  /** Answers that were lost have not been found for a minute. */
  'unknownActions',
  /** The event stream has not been read for 30 s; an alarm from 2 minutes on. */
  'streamStale',
  /** No token in play has had a fresh price for `guard.maxPriceAgeMs`. */
  'pricesStale',
  /** A mode is closed: no contest of it is entered until it is open again. An alarm once no mode is open. */
  'modeClosed',
  /** Swaps do not come through: no contest of swaps is entered until they do. */
  'swapPathDown',
  /** A token that a contest left in the wallet could not be sold so far: it is tried again while swaps come through. */
  'unsold',
  /** A strategy failed too often and is left alone. */
  'strategySuspended',
  /** A reveal is due and did not work yet. */
  'revealOverdue',
  /** A prediction was not shown in its time. */
  'missedReveal',
  /** A contest was settled in which the bot had made no valid move: its stake was lost to chance. */
  'unplayed',
  /** The service contradicts what it said before, or has forgotten it. */
  'serviceFault',
  /** A host of the fleet has fallen silent, and others play its bots. */
  'hostLost',
  /** A host that was lost is back. */
  'hostBack',
  /** The database of the fleet does not take commits in time: nothing is sent until it does. */
  'fleetLate',
  /** The same, since no standby says that it has what is committed. */
  'fleetNoStandby',
  /** The order in the database of the fleet is not signed with its key, or is older than one before: it counts as a stop. */
  'fleetOrder',
  /** The database of the fleet answers before a commit is on a second server: no bot enters anything until it does. */
  'fleetNotDurable',
  /** The database of the fleet takes no writes: it is read-only, or its disk is full. */
  'fleetDatabase',
  /** Somebody has had a transaction open for five minutes in the database of the fleet: it keeps dead rows there, and commits grow slower. */
  'fleetLongTransaction',
  /** The database of the fleet has lost or changed the journal of a bot: nobody plays that. */
  'rolledBack',
  /** A bot stopped before its time. */
  'botStopped',
] as const
export type AlertKind = (typeof ALERT_KINDS)[number]

/** The mildest first. An `alarm` should wake someone. */
export const SEVERITIES = ['info', 'warn', 'alarm'] as const
export type Severity = (typeof SEVERITIES)[number]

const common = {
  /** The mildest severity that is sent. */
  least: z.enum(SEVERITIES).default('warn'),
  /** Kinds that are sent whatever their severity. */
  also: z.array(z.enum(ALERT_KINDS)).default([]),
  /** Kinds that are never sent. */
  never: z.array(z.enum(ALERT_KINDS)).default([]),
}

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}

const telegramSchema = z
  .strictObject({
    kind: z.literal('telegram'),
    /** The bot's token, as BotFather gave it. */
    token: secretSchema,
    /** A chat's id, or the name of a channel with its at sign. */
    chat: z.string().min(1),
    /** Obeys commands from this chat: whoever can write there can stop the bots, and let them play on. */
    commands: z.boolean().default(false),
    /** When the summary of a day is sent; without it none is. */
    summaryAt: z
      .string()
      .regex(/^([01]\d|2[0-3]):[0-5]\d$/, "a time of the day, such as '21:00'")
      .optional(),
    /** Of `summaryAt`: an IANA name. */
    timeZone: z.string().refine(isTimeZone, "the name of a time zone, such as 'Europe/Berlin'").default('UTC'),
    /** A Bot API server of your own. */
    apiRoot: baseUrl.default('https://api.telegram.org'),
    ...common,
  })
  .refine(({ commands, chat }) => !commands || /^-?\d+$/.test(chat), {
    path: ['chat'],
    message: "commands are obeyed from one chat, by its id, such as '123456789': the name of a channel is not enough",
  })

const discordSchema = z.strictObject({
  kind: z.literal('discord'),
  /** A webhook's URL: whoever has it can post. */
  url: secretSchema,
  ...common,
})

const webhookSchema = z.strictObject({
  kind: z.literal('webhook'),
  /** Gets a POST of `{ alerts: [{ at, bot, kind, about, severity, message }] }`; `about` says which contest, strategy or cap, where there may be several. */
  url: secretSchema,
  ...common,
})

export const alertSchema = z.discriminatedUnion('kind', [telegramSchema, discordSchema, webhookSchema], {
  error: 'telegram({ … }), discord({ … }) or webhook({ … })',
})

export type AlertConfig = z.output<typeof alertSchema>

/**
 * Alerts to a Telegram chat, and commands from it.
 *
 * @example telegram({ token: secret('TELEGRAM_TOKEN'), chat: '123456789', commands: true, summaryAt: '21:00' })
 */
export const telegram = (options: Omit<z.input<typeof telegramSchema>, 'kind'>): z.input<typeof telegramSchema> => ({
  kind: 'telegram',
  ...options,
})

/**
 * Alerts to a Discord channel, by its webhook.
 *
 * @example discord({ url: secret('DISCORD_WEBHOOK_URL'), least: 'alarm' })
 */
export const discord = (options: Omit<z.input<typeof discordSchema>, 'kind'>): z.input<typeof discordSchema> => ({
  kind: 'discord',
  ...options,
})

/**
 * Alerts as JSON to a URL of your own.
 *
 * @example webhook({ url: secret('ALERT_URL'), also: ['settled'] })
 */
export const webhook = (options: Omit<z.input<typeof webhookSchema>, 'kind'>): z.input<typeof webhookSchema> => ({
  kind: 'webhook',
  ...options,
})
