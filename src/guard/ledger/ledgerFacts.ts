import { z } from 'zod'

const usdc = z.bigint()
const count = z.int().nonnegative()
const account = { mode: z.string().optional(), by: z.string().optional() }
const entry = {
  key: z.string(),
  ...account,
  stake: usdc,
  is: z.enum(['sent', 'open']),
  /** Tickets and contests that the service named for it. */
  ids: z.array(z.string()).readonly(),
}
const profits = z.array(z.strictObject({ day: z.int(), ...account, profit: usdc })).readonly()
const atAmount = z.strictObject({ at: z.number(), amount: usdc })

/** The guard's ledger as a journal keeps it. Version 1. Amounts in micro-USDC; times in steady milliseconds, `machineMs` a Unix time. */
export const ledgerFactsSchema = z.strictObject({
  version: z.literal(1),
  time: z.strictObject({
    steadyMs: z.number(),
    machineMs: z.number(),
    skewMs: z.number(),
    beganMs: z.number(),
    day: z.int(),
    dayChangedMs: z.number().optional(),
  }),
  entries: z.array(z.strictObject(entry)).readonly(),
  supposed: z.array(z.strictObject({ ...entry, contestId: z.string(), day: z.int() })).readonly(),
  own: profits,
  foreign: profits,
  streak: z.strictObject({ losses: count, lastAt: z.number() }),
  staked: z.strictObject({
    hours: z.array(z.strictObject({ hour: z.int(), sent: usdc, shown: usdc })).readonly(),
    told: usdc,
    smallest: usdc.optional(),
    available: usdc.optional(),
    sentSince: usdc,
  }),
  dayStartBankroll: usdc.optional(),
  witness: z.strictObject({
    expected: usdc.optional(),
    credits: z
      .array(
        z.strictObject({
          at: z.number(),
          ...account,
          of: z.string().optional(),
          amount: usdc,
          stake: usdc,
          profit: usdc,
          day: z.int(),
          missing: usdc,
          isRead: z.boolean(),
          isLate: z.boolean(),
        }),
      )
      .readonly(),
    deposits: z.array(atAmount).readonly(),
    surplus: z.array(atAmount).readonly(),
    missing: usdc,
    delays: count,
    longestMs: z.number(),
  }),
  chain: z.strictObject({ availableEqual: count, walletEqual: count }),
})
export type LedgerFacts = z.output<typeof ledgerFactsSchema>
