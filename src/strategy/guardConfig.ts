import { z } from 'zod'
import { chainSchema, MODES, modeSchema, opponentsSchema } from '../contract/enums.ts'
import { usdc } from '../core/usdc.ts'
import { amount, bps } from './amount.ts'

/** What each bot's guard keeps to, as a config writes it. */
export const guardSchema = z.strictObject({
  /** The largest stake of one entry. */
  maxStake: amount,
  /**
   * The most a UTC day's stakes, and the swaps by themselves, may cost: no entry, and no swap but a sale, is let out with which lost,
   * in play and reserved together would pass it. What tokens lose after they were bought can: `maxSwap` and the bankroll bound that.
   */
  dailyLoss: amount,
  /**
   * The most that may be staked in 24 hours, net of payouts that the bankroll has shown. By default the smaller of 100 times `dailyLoss` and twice
   * the bankroll at the day's start.
   */
  dailyStaked: amount.optional(),
  /** How many entries the bot may send in any minute. By default ten times `maxOpenContests`, at least 30. */
  entriesPerMinute: z.number().int().min(1).max(100_000).optional(),
  /** How many tickets and seats there may be at once. */
  maxOpenContests: z.number().int().min(1).max(1000).default(3),
  /** The most a swap may slip, in basis points. */
  maxSlippageBps: bps.default(50),
  /** The modes, chains and opponents that the bot may enter; all of them by default. */
  modes: z
    .array(modeSchema)
    .min(1)
    .default([...MODES]),
  chains: z
    .array(chainSchema)
    .min(1)
    .default([...chainSchema.options]),
  opponents: z
    .array(opponentsSchema)
    .min(1)
    .default([...opponentsSchema.options]),
  /** The most one mode, or one strategy, may cost in a day: lost, in play and reserved together. */
  modeBudgets: z.partialRecord(modeSchema, amount).default({}),
  strategyBudgets: z.record(z.string(), amount).default({}),
  /** After `losses` contests lost in a row, no entry for `seconds`. */
  coolDown: z.strictObject({ losses: z.number().int().min(1).max(1000), seconds: z.number().int().min(1).max(604_800) }).optional(),
  /**
   * After so many contests in a row without a valid move a mode is closed: `hindered` where what a move needs was missing, `late` where it
   * came too late or was refused, `abstained` where the strategy wanted nothing. 1, 2 and 3 where it is left out.
   */
  unplayed: z
    .strictObject({
      hindered: z.number().int().min(1).max(1000).default(1),
      late: z.number().int().min(1).max(1000).default(2),
      abstained: z.number().int().min(1).max(1000).default(3),
    })
    .optional(),
  /** The most the bot's profit may fall below its peak, over the life of its journal. */
  maxDrawdown: amount.optional(),
  /** The largest value of one swap. */
  maxSwap: amount.default(usdc('25')),
  /** How many swaps may count for one contest. */
  maxSwapsPerContest: z.number().int().min(1).max(10_000).default(40),
  /** How many swaps the bot may send in any minute. */
  maxSwapsPerMinute: z.number().int().min(1).max(600).default(20),
  /** Mints a swap may be of; the known tokens by default. */
  tokens: z.array(z.string().min(32).max(44)).min(1).optional(),
  /** The most a swap may move the price by itself, in basis points. */
  maxPriceImpactBps: bps.default(100),
  /** How far the least that a swap brings may lie under what the price feed says it should, in basis points. */
  maxFeedGapBps: bps.default(150),
  /** A quote that was asked for longer ago is not traded on. */
  maxQuoteAgeMs: z.number().int().min(100).max(60_000).default(5000),
  /** A price of the feed that is older is not traded on. */
  maxPriceAgeMs: z.number().int().min(500).max(600_000).default(15_000),
  /** Lamports that stay in the wallet for fees. */
  minGasLamports: z.bigint().min(0n).default(5_000_000n),
  /** The most a transaction may pay for each compute unit, and for all of them together, to be quick. */
  maxComputePriceMicroLamports: z.bigint().min(0n).default(5_000_000n),
  maxPriorityFeeLamports: z.bigint().min(0n).default(2_000_000n),
  /** Programs a swap transaction may use beside the known ones: address and name. */
  programs: z.record(z.string().min(32).max(44), z.string().min(1)).default({}),
  /** What is done with a transaction whose lookup tables cannot be read. */
  unresolvedTables: z.enum(['refuse', 'allow']).default('refuse'),
})

export type GuardConfig = z.output<typeof guardSchema>

/** A guard's configuration with its defaults filled in. */
export const guardConfig = (guard: z.input<typeof guardSchema>): GuardConfig => guardSchema.parse(guard)
