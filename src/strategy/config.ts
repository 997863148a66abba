import { z } from 'zod'
import { MODES } from '../contract/enums.ts'
import { FIELD_PATHS, type FieldName, PIECE_OF } from '../contract/paths.ts'
import { type Piece, shapesInputSchema } from '../contract/shapes/shapes.ts'
import { CornermanError } from '../core/error.ts'
import { show } from '../core/show.ts'
import { usdc } from '../core/usdc.ts'
import { alertSchema } from './alertConfig.ts'
import { amount, bps } from './amount.ts'
import type { Strategy } from './define.ts'
import { dexNames } from './dexes.ts'
import { guardSchema } from './guardConfig.ts'
import { baseUrl, httpUrl } from './httpUrl.ts'
import { describeIssue, type IssueNames } from './issue.ts'
import { overCaps } from './overCaps.ts'
import { secretSchema } from './secret.ts'
import { tokensSchema } from './tokenConfig.ts'

const WEBHOOK_SECRETS = "secret('ALICE_WEBHOOK_SECRET'), or an array of two while the service changes from one to the other"
const webhookSecretSchema = z
  .union([secretSchema.transform((one) => [one]), z.array(secretSchema).min(1).max(2)], { error: WEBHOOK_SECRETS })
  .refine(([one, other]) => one?.secret !== other?.secret, {
    error: 'two names that differ: the secret that was and the one that is to be',
  })

const sandboxSchema = z.strictObject({
  kind: z.literal('sandbox'),
  /** Decides prices between recorded minutes, opponents and matching. */
  seed: z.number().int().default(7),
  /** 0 takes any free port. */
  port: z.number().int().min(0).max(65_535).default(0),
  /** What each bot starts with. */
  balance: amount.default(usdc('1000')),
  /** The service's own caps: the largest stake, and the most a UTC day may lose. */
  maxStake: amount.default(usdc('50')),
  dailyLossCap: amount.default(usdc('200')),
  /** The service's share of a pot, in basis points. */
  rakeBps: bps.default(500),
  /** The longest a ticket waits for an opponent. */
  matchDelayMs: z.number().int().min(0).max(60_000).default(3000),
  /** A price CSV in place of the one that comes with the project. */
  prices: z.string().optional(),
})

const fieldNames = Object.keys(FIELD_PATHS) as [FieldName, ...FieldName[]]

const contestServiceSchema = z
  .strictObject({
    kind: z.literal('contestService'),
    /** The service's base address, without a query. */
    url: baseUrl,
    /** An answer later than this is lost; a lost answer to an action is looked up, never resent blindly. */
    timeoutMs: z.number().int().min(250).max(60_000).default(5000),
    /**
     * Where the service's answers have what its documentation leaves open: the mapping itself, laid over that of the file, or the name of the
     * file. Left out: `service.shapes.json` beside the config, where there is one (docs/shapes.md).
     */
    shapes: z
      .union([z.string().min(1), shapesInputSchema], { error: "a file, such as 'live.shapes.json', or a mapping, { pieces: { … } }" })
      .optional(),
    /** The service is this project's sandbox, as `cornerman sandbox` runs it: its answers need no mapping. */
    sandbox: z.boolean().default(false),
    /** What `start` may stake, once, to find out how a service without a mapping answers: micro-USDC in all. */
    probe: z.strictObject({ most: amount }).optional(),
    /** Places of before there were mappings, by field: `shapes` takes their place. */
    paths: z.partialRecord(z.enum(fieldNames), z.array(z.string().min(1))).default({}),
  })
  .superRefine(({ shapes, paths }, context) => {
    const pieces = typeof shapes === 'object' ? (shapes.pieces ?? {}) : {}
    for (const field of Object.keys(paths) as FieldName[]) {
      const piece = PIECE_OF[field] ?? (field as Piece)
      if (pieces[piece] === undefined) continue
      context.addIssue({
        code: 'custom',
        path: ['paths', field],
        message: `shapes.pieces.${piece} says where it is: leave one of the two out`,
      })
    }
  })

const REQUESTS_PER_MINUTE =
  'a whole number from 1 to 100000: the requests a minute of your Jupiter plan. Left out: 30 without a key, 60 with one'

const marketSchema = z.strictObject({
  /** A Jupiter Price API v3 endpoint. Not needed with `sandbox()`, which carries its own. */
  url: baseUrl.default('https://api.jup.ag/price/v3'),
  /** Of both Jupiter endpoints. */
  apiKey: secretSchema.optional(),
  /**
   * Requests of all kinds that Jupiter takes in a minute, until its own headers say it. Left out: 30 without a key and 60 with one, as
   * Jupiter's plans have it, and no limit for what runs on this machine.
   */
  requestsPerMinute: z
    .number({ error: REQUESTS_PER_MINUTE })
    .int({ error: REQUESTS_PER_MINUTE })
    .min(1, { error: REQUESTS_PER_MINUTE })
    .max(100_000, { error: REQUESTS_PER_MINUTE })
    .optional(),
  /** How often prices are asked for at the most; less often where the requests are needed for swaps. */
  everyMs: z.number().int().min(250).max(60_000).default(1000),
  /** Whose API swaps go through: `jupiterV1` asks for a quote and then for its transaction, `jupiterV2` once, and composes the transaction here. */
  dex: z.enum(dexNames).default('jupiterV1'),
  /** Where that API is; left out: its own address. Not needed with `sandbox()`, which carries its own. */
  swapUrl: baseUrl.optional(),
  /** A Solana RPC endpoint, as a URL or, where it carries a key, a secret. Not needed with `sandbox()`. */
  rpcUrl: z.union([httpUrl, secretSchema], { error: "an http or https URL, or secret('RPC_URL') where the URL carries a key" }).optional(),
  /** Mints to follow beside the known tokens. */
  mints: z.array(z.string().min(32).max(44)).default([]),
  /** Tokens that may be swapped beside the known ones, and what is let in of them; their prices are followed, too. */
  tokens: tokensSchema.default([]),
})

const webhooksSchema = z.strictObject({
  /** 0 takes any free port: for `sandbox()`, since the service is told a URL once. */
  port: z.number().int().min(0).max(65_535),
  /** The address to listen on. The service needs https on a public host: a reverse proxy or a tunnel is in front. */
  host: z.string().min(1).default('127.0.0.1'),
})

const strategySchema = z.custom<Strategy>(
  (value) => typeof value === 'object' && value !== null && 'kind' in value && 'name' in value && typeof value.name === 'string',
  { error: 'a strategy called with its parameters, such as momentum() or momentum({ lookbackSec: 30 })' },
)

const VARIABLE = /^(?!(?:NODE_|LD_|DYLD_))[A-Za-z_][A-Za-z0-9_]*$/

const isolationSchema = z.strictObject({
  /** Of the strategy. */
  name: z.string(),
  /** True: it shares its process with no other strategy. One that may read, or is given variables, never does. */
  own: z.boolean().default(false),
  /** Files and folders that it may read, from the config's folder on. */
  read: z.array(z.string().min(1)).default([]),
  /** Environment variables that it is given, such as the key of a model. */
  env: z.array(z.string().regex(VARIABLE, "the name of a variable, and none of Node's or the loader's (NODE_…, LD_…, DYLD_…)")).default([]),
})

const botSchema = z
  .strictObject({
    /** Its journal and its recording are named after it. */
    name: z.string().regex(/^[a-z][a-z0-9-]{0,31}$/, 'a name of small letters, digits and -, starting with a letter'),
    /** The key of this bot's agent. Not needed with `sandbox()`. */
    agentKey: secretSchema.optional(),
    /** What the service signs this agent's webhooks with; without it there are none. Not needed with `sandbox()`. */
    webhookSecret: webhookSecretSchema.optional(),
    /** The first draft picker is asked, and in each mode the first predictor and the first trader; of the other kinds all. */
    strategies: z.array(strategySchema).min(1),
    /** Whether tokens that a contest left in the wallet are sold once it is over. */
    sweep: z.boolean().default(true),
    guard: guardSchema,
    /** Decides what `random` gives to the strategies. */
    seed: z.number().int().default(0),
    /**
     * Strategies that run in a process of their own, where not even an endless loop holds the bot up, and no key is found: `true` for all of
     * them, or their names, or their names with what each is given.
     */
    isolate: z
      .union([z.boolean(), z.array(z.union([z.string(), isolationSchema])).min(1)], {
        error: "true, false, or names of this bot's strategies, each alone or as { name: 'model', read: ['models/'], env: ['MODEL_KEY'] }",
      })
      .optional(),
    /** How long a strategy may take for an answer; 10 s where it is left out. */
    strategyTimeoutMs: z.number().int().min(100).max(300_000).optional(),
  })
  .superRefine((bot, context) => {
    const names = bot.strategies.map(({ name }) => name)
    const expectKnown = (name: string, ...path: string[]) => {
      if (names.includes(name)) return
      context.addIssue({ code: 'custom', path, message: `there is no strategy ${show(name)}; there is ${names.join(', ')}` })
    }
    for (const item of Array.isArray(bot.isolate) ? bot.isolate : []) expectKnown(typeof item === 'string' ? item : item.name, 'isolate')
    // One that is misspelt would be no budget at all.
    for (const name of Object.keys(bot.guard.strategyBudgets)) expectKnown(name, 'guard', 'strategyBudgets')
    bot.strategies.forEach((strategy, index) => {
      const twin = bot.strategies.slice(0, index).find(({ name }) => name === strategy.name)
      // The same one with other parameters shares its budget with the first. What a custom strategy hears goes by its name.
      if (twin !== undefined && (twin.kind !== strategy.kind || strategy.kind === 'custom')) {
        const message = `${strategy.name} is the name of another strategy of this bot: give one of the two another name`
        context.addIssue({ code: 'custom', path: ['strategies', index], message })
      }
      for (const message of overCaps(strategy, bot.guard)) context.addIssue({ code: 'custom', path: ['strategies', index], message })
    })
  })

/** What each bot's journal keeps. */
const journalSchema = z.strictObject({
  /** Events, answered actions and predictions that are over are kept for so many days, and sums and a row a contest for ever; 0 keeps all. */
  retentionDays: z.int().min(0).max(36_500).default(30),
})

const FLEET_KEYS = "secret('CORNERMAN_FLEET_KEY'), or [secret('NEW_FLEET_KEY'), secret('CORNERMAN_FLEET_KEY')] while it is changed"

/** Several hosts that play the bots by turns; the same on each of them. */
const fleetSchema = z.strictObject({
  /** The URL of its PostgreSQL database. Left out: `FLEET_DATABASE_URL` of the environment. */
  database: secretSchema.optional(),
  /** What journals are sealed with: one key, or the new one and the one before. Left out: `CORNERMAN_FLEET_KEY` of the environment. */
  key: z
    .union([secretSchema.transform((one) => [one]), z.array(secretSchema).min(1).max(2)], { error: FLEET_KEYS })
    .refine(([one, other]) => one?.secret !== other?.secret, { error: 'two names that differ: the new key and the one before' })
    .optional(),
  /** `standby`: no commit is answered before it is on another server, too; `asGiven`: as its owner has set it up. */
  durability: z.enum(['standby', 'asGiven']).default('standby'),
  /** A host that was silent for so long loses its bots to others. */
  silenceMs: z.number().int().min(2000).max(10_000).default(3500),
})

export const configSchema = z
  .strictObject({
    service: z.discriminatedUnion('kind', [sandboxSchema, contestServiceSchema], {
      error: "sandbox({ … }) or contestService({ url: 'https://…' })",
    }),
    market: marketSchema.prefault({}),
    /** Where the service's webhooks are received: bots then read at once what has happened. Without it they poll. */
    webhooks: webhooksSchema.optional(),
    /** Where the owner is told of what happens; without it nobody is. */
    alerts: z.array(alertSchema).max(10).default([]),
    journal: journalSchema.prefault({}),
    /** For `--fleet`. Without it the database and the key are those of the environment. */
    fleet: fleetSchema.optional(),
    bots: z.array(botSchema).min(1),
  })
  .superRefine((config, context) => {
    const names = new Set<string>()
    const secrets = secretsIn(config)
    config.bots.forEach((bot, index) => {
      for (const item of Array.isArray(bot.isolate) ? bot.isolate : []) {
        for (const name of typeof item === 'string' ? [] : item.env.filter((variable) => secrets.has(variable))) {
          const message = `${name} is a secret of this config, which no strategy is given: name another variable`
          context.addIssue({ code: 'custom', path: ['bots', index, 'isolate'], message })
        }
      }
      if (names.has(bot.name))
        context.addIssue({ code: 'custom', path: ['bots', index, 'name'], message: `${bot.name} is taken: every bot has its own name` })
      names.add(bot.name)
      // Each would count the other's contests as its own, and neither keep its caps.
      const twin = config.bots.slice(0, index).find(({ agentKey }) => agentKey !== undefined && agentKey.secret === bot.agentKey?.secret)
      if (twin !== undefined) {
        const message = `${twin.name} has this key already: every bot is an agent of its own`
        context.addIssue({ code: 'custom', path: ['bots', index, 'agentKey'], message })
      }
      if (bot.webhookSecret !== undefined && config.webhooks === undefined) {
        const message = 'nothing receives what it signs: say where, webhooks: { port: 8789 } beside bots'
        context.addIssue({ code: 'custom', path: ['bots', index, 'webhookSecret'], message })
      }
      if (config.service.kind === 'contestService' && bot.agentKey === undefined) {
        context.addIssue({
          code: 'custom',
          path: ['bots', index, 'agentKey'],
          message: "contestService() needs one: secret('ALICE_AGENT_KEY')",
        })
      }
    })
    config.alerts.forEach((alert, index) => {
      if (alert.kind !== 'telegram' || !alert.commands) return
      // Telegram gives what is sent to a bot to one reader.
      const isRead = config.alerts
        .slice(0, index)
        .some((other) => other.kind === 'telegram' && other.commands && other.token.secret === alert.token.secret)
      const message = 'the commands of this bot are read for another chat already: one chat alone can have them'
      if (isRead) context.addIssue({ code: 'custom', path: ['alerts', index, 'commands'], message })
    })
    const isDeaf = config.service.kind === 'contestService' && config.bots.every(({ webhookSecret }) => webhookSecret === undefined)
    if (config.webhooks !== undefined && isDeaf) {
      const message = "no bot has a webhookSecret: secret('ALICE_WEBHOOK_SECRET') in each bot whose agent has a webhook URL"
      context.addIssue({ code: 'custom', path: ['webhooks'], message })
    }
  })

/** The variables that hold the secrets of a config: of its bots, its market and its alerts. */
function secretsIn(value: unknown): Set<string> {
  if (typeof value !== 'object' || value === null) return new Set()
  const { secret } = value as { readonly secret?: unknown }
  const inside = Object.entries(value).flatMap(([key, item]) => (key === 'strategies' ? [] : [...secretsIn(item)]))
  return new Set(typeof secret === 'string' ? [secret, ...inside] : inside)
}

/** The config as a user writes it: what has a default may be left out. Amounts are micro-USDC, as `usdc('5')` gives them. */
export type ConfigInput = z.input<typeof configSchema>
/**
 * The config with its defaults filled in. Amounts are micro-USDC.
 *
 * @example const stakesOf = ({ bots }: Config) => bots.map(({ name, guard }) => `${name}: ${formatUsdc(guard.maxStake)} USDC`)
 */
export type Config = z.output<typeof configSchema>
export type BotConfig = Config['bots'][number]
export type ServiceConfig = Config['service']
/** A service elsewhere. */
export type ContestServiceConfig = Extract<ServiceConfig, { kind: 'contestService' }>

type SandboxInput = Omit<z.input<typeof sandboxSchema>, 'kind'>
type ContestServiceInput = Omit<z.input<typeof contestServiceSchema>, 'kind'>

/**
 * The contest service that comes with the project: recorded prices, opponents of the house, play money.
 *
 * @example sandbox({ seed: 7, balance: usdc('100') })
 */
export const sandbox = (options: SandboxInput = {}): z.input<typeof sandboxSchema> => ({ kind: 'sandbox', ...options })

/**
 * A contest service elsewhere, with real money. Every bot then needs an `agentKey`.
 *
 * @example contestService({ url: 'https://contests.example.com/api' })
 */
export const contestService = (options: ContestServiceInput): z.input<typeof contestServiceSchema> => ({
  kind: 'contestService',
  ...options,
})

/**
 * What `bots.config.ts` exports by default. It is checked when a command loads it: each mistake is named with its field, its value
 * and what is allowed.
 *
 * @example
 * export default defineConfig({
 *   service: sandbox(),
 *   bots: [{ name: 'alice', strategies: [ladder(), momentum()], guard: { maxStake: usdc('1'), dailyLoss: usdc('20') } }],
 * })
 */
export const defineConfig = (config: ConfigInput): ConfigInput => config

const SECRET_FIELDS: ReadonlySet<PropertyKey> = new Set(['agentKey', 'apiKey', 'rpcUrl', 'webhookSecret'])

const NAMES: IssueNames = {
  whole: 'the default export',
  unknownField: (path) =>
    path.at(-1) === 'modeBudgets'
      ? `no such mode; there is ${MODES.join(', ')}`
      : 'no such field; check its spelling against docs/guide/configuration.md, or update Cornerman where the config is of a newer one',
  // What stands in a secret's place is likely the secret itself, and of alerts nearly all of it is one.
  isSecret: (path) =>
    path[0] === 'alerts' ||
    (path[0] === 'fleet' && (path[1] === 'database' || path[1] === 'key')) ||
    path.some((key) => SECRET_FIELDS.has(key)),
}

/**
 * Reads a config.
 *
 * @param file how to name the file in the message
 * @throws CornermanError `CONFIG_INVALID`: file, field, value, what is allowed
 */
export function readConfig(value: unknown, file: string): Config {
  const parsed = configSchema.safeParse(value)
  if (parsed.success) return parsed.data
  const lines = parsed.error.issues.map((issue) => describeIssue(issue, value, NAMES))
  throw new CornermanError('CONFIG_INVALID', `${file}: ${lines.join(`\n${file}: `)}`, { details: { file, issues: lines } })
}
