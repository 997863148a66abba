import { z } from 'zod'
import { METRIC_NAMES } from '../metrics/index.ts'
import { WARNING_CODES } from '../result.ts'

/** Micro-USDC as digits: JSON has no bigint. */
const micro = z.string().regex(/^-?\d+$/, 'micro-USDC as digits, such as "2500000"')
const count = z.int().min(0)
const figure = z.number().nullable()
const hash = z.string().min(1)

const tally = { settled: count, won: count, lost: count, drawn: count, refunded: count, cancelled: count }

const edgeSchema = z.object({ observations: count, mean: figure, low: figure, high: figure, contestsNeeded: count.nullable() })

const groundSchema = z.object({
  durationSec: z.number().min(0),
  periodMs: z.number().min(0),
  neededPeriodMs: z.number().min(0),
  reason: z.string(),
})

const modeSummarySchema = z.object({
  ...{ ...tally, staked: micro, profit: micro, edge: edgeSchema },
  /** Why the mode is not in the headline; null where it is. */
  tooCoarse: groundSchema.nullable().default(null),
})

const endSchema = z.object({ result: z.string().nullable(), profit: micro }).nullable()

const comparedSchema = z.object({ contestId: z.string(), mode: z.string(), live: endSchema, backtest: endSchema, why: z.string() })

const botSummarySchema = z.object({
  name: z.string().min(1),
  contests: z.object(tally),
  profit: micro,
  staked: micro,
  /** Of the contests in the headline, and so is `edge`. */
  metrics: z.record(z.enum(METRIC_NAMES), figure),
  edge: edgeSchema,
  /** The contests whose modes the log's prices are close enough together for. Summaries of before there were any have none. */
  headline: z.object({ contests: z.object(tally), staked: micro, profit: micro, sentence: z.string() }).optional(),
  byMode: z.record(z.string(), modeSummarySchema),
  refused: z.record(z.string(), count),
  /** Micro-USDC in the wallet at the first input. */
  bankroll: micro,
  /** Tickets that nobody met. */
  expired: count,
  swaps: z.object({ filled: count, failed: count }),
  /** Micro-USDC, network fees apart: beside the profit of the contests. */
  swapProfit: micro,
  /** Seats of others, by where their play came from. */
  opponents: z.object({ recorded: count, reference: count }),
  /** Why the figures say less than they seem to. Summaries of before there were any have none. */
  warnings: z.array(z.object({ code: z.enum(WARNING_CODES), message: z.string() })).default([]),
  /** On its own recording: contests that came to the same, those that did not, and of each of these why. */
  againstLive: z.object({ same: count, different: count, rows: z.array(comparedSchema) }).optional(),
  /** When and why the bot could pay for nothing any more; null where it had money to the end. */
  ruined: z.object({ at: z.number(), stake: micro, available: micro, sentence: z.string() }).nullable().default(null),
  /** How often the time was tried, once it was more than once, and what the best of so many shows by luck alone; null where nobody has counted. */
  tried: z.object({ trials: count, bestOfCoins: figure, sentence: z.string() }).nullable().default(null),
  /** SHA-256 of the bot's config. */
  config: hash,
  strategies: z.array(z.object({ kind: z.string(), name: z.string(), params: z.unknown(), code: hash })),
})

const assumptionSchema = z.object({
  name: z.string(),
  value: z.number(),
  unit: z.enum(['ms', 'bps', 'share']),
  samples: count,
  basis: z.literal('period').optional(),
})

/** The document of `backtest --json`. Fields it does not know are left out when it reads one. */
export const summarySchema = z.object({
  logs: z.array(z.string()),
  /** Whether prices and contests were made up. */
  synthetic: z.boolean().default(false),
  bots: z.array(botSummarySchema),
  priceUpdates: count,
  events: count,
  decisions: count,
  elapsedMs: z.number().min(0),
  updatesPerSecond: z.number().min(0),
  fingerprint: hash,
  assumptions: z.array(assumptionSchema),
})

export type BacktestSummary = z.infer<typeof summarySchema>
export type BotSummary = z.infer<typeof botSummarySchema>
export type ModeSummary = z.infer<typeof modeSummarySchema>
