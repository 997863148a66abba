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

const modeSummarySchema = z.object({ ...tally, staked: micro, profit: micro, edge: edgeSchema })

const botSummarySchema = z.object({
  name: z.string().min(1),
  contests: z.object(tally),
  profit: micro,
  staked: micro,
  metrics: z.record(z.enum(METRIC_NAMES), figure),
  edge: edgeSchema,
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
  /** SHA-256 of the bot's config. */
  config: hash,
  strategies: z.array(z.object({ kind: z.string(), name: z.string(), params: z.unknown(), code: hash })),
})

const assumptionSchema = z.object({ name: z.string(), value: z.number(), unit: z.enum(['ms', 'bps', 'share']), samples: count })

/** The document of `backtest --json`. Fields it does not know are left out when it reads one. */
export const summarySchema = z.object({
  logs: z.array(z.string()),
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
