import { z } from 'zod'
import { resultSchema } from '../../contract/enums.ts'

// What a journal's events and swaps came to, as far as they are folded: facts, from which the books of the next run begin.

/** By contest, what the stream has called settled, and cancelled: the newest last. */
const settlementsFactsSchema = z.strictObject({ settled: z.array(z.string()), cancelled: z.array(z.string()) })
export type SettlementsFacts = z.output<typeof settlementsFactsSchema>

/** What a bot's swaps came to, as it is kept from one run to the next. */
const portfoliosFactsSchema = z.strictObject({
  open: z.array(
    z.strictObject({
      contestId: z.string(),
      holdings: z.array(z.strictObject({ mint: z.string(), units: z.bigint() })),
      cash: z.bigint(),
      fills: z.int().nonnegative(),
      firstAt: z.number(),
      lastAt: z.number(),
    }),
  ),
  /** By the number of the UTC day in which they were closed, of the newest days. */
  closed: z.array(z.strictObject({ day: z.int(), cash: z.bigint() })),
  closedCash: z.bigint(),
})
export type PortfoliosFacts = z.output<typeof portfoliosFactsSchema>

const usdcSchema = z.bigint()
const resultCount = z.strictObject({
  WIN: z.int().nonnegative(),
  LOSS: z.int().nonnegative(),
  DRAW: z.int().nonnegative(),
  REFUND: z.int().nonnegative(),
})

/** Version 1. A later one is a schema of its own, and says how this one is read. */
export const pastFactsSchema = z.strictObject({
  version: z.literal(1),
  /** Events that are folded in, by their ids: the newest, and of those before them the highest; null where none is ordered by time. */
  seen: z.strictObject({ ids: z.array(z.string()), before: z.string().nullable() }),
  byMode: z.array(z.strictObject({ mode: z.string(), results: resultCount, profit: usdcSchema })),
  /** The terms played last come last. */
  byTerms: z.array(
    resultCount.extend({
      mode: z.string(),
      versus: z.string(),
      stake: usdcSchema,
      durationSec: z.number().optional(),
      profit: usdcSchema,
    }),
  ),
  cancelled: z.int().nonnegative(),
  staked: usdcSchema,
  /** Of the newest two days. */
  realised: z.array(
    z.strictObject({
      at: z.number(),
      profit: usdcSchema,
      counted: usdcSchema,
      result: resultSchema.optional(),
      stake: usdcSchema,
      mode: z.string(),
      contestId: z.string(),
      strategy: z.string().optional(),
    }),
  ),
  streak: z.strictObject({ losses: z.int().nonnegative(), lastAt: z.number() }),
  /** By how much settlements that contradict themselves or one another count for less than was told, in all. */
  doubted: usdcSchema,
  settlements: settlementsFactsSchema,
  /** The highest that the profit has been, of contests and of swaps in those that are closed: what a drawdown is measured from. */
  peakProfit: usdcSchema,
  portfolios: portfoliosFactsSchema,
  ended: z.array(z.string()),
})
export type PastFacts = z.output<typeof pastFactsSchema>

export const emptyPastFacts: PastFacts = {
  version: 1,
  seen: { ids: [], before: null },
  byMode: [],
  byTerms: [],
  cancelled: 0,
  staked: 0n,
  realised: [],
  streak: { losses: 0, lastAt: 0 },
  doubted: 0n,
  settlements: { settled: [], cancelled: [] },
  peakProfit: 0n,
  portfolios: { open: [], closed: [], closedCash: 0n },
  ended: [],
}
