import { z } from 'zod'

const count = z.int().nonnegative()
const amount = z.string().regex(/^-?\d+$/, 'micro-USDC digits')
const results = { settled: count, won: count, lost: count, drawn: count, refunded: count }

/** What `start --json` prints of bots that could play, as docs/json.md has it: no figure is missing. */
export const startReport = z.strictObject({
  bots: z.array(
    z.strictObject({
      name: z.string().min(1),
      agentId: z.string().min(1),
      contests: z.strictObject({ ...results, cancelled: count }),
      byMode: z.record(z.string(), z.strictObject(results)),
      profit: amount,
      staked: amount,
      swapProfit: amount,
      ...{ equity: amount, bankroll: amount, inPlay: amount, held: amount, unpriced: count },
      holdings: z.array(
        z.strictObject({
          ...{ contestId: z.string(), mint: z.string(), symbol: z.string(), amount },
          ...{ price: z.string().nullable(), pricedAt: count.nullable(), value: amount.nullable() },
        }),
      ),
      actions: z.strictObject({ sent: count, refused: count, failed: count, unknown: count }),
      reveals: z.strictObject({ due: count, done: count }),
      strayAnswers: count,
      lifecycleBreaks: z.literal(0),
      unplayed: z.strictObject({ count, staked: amount, byMode: z.record(z.string(), z.strictObject({ count, staked: amount })) }),
      modes: z.record(z.string(), z.strictObject({ state: z.enum(['open', 'closed']), why: z.string().nullable() })),
      trades: z.strictObject({ confirmed: count, failed: count }),
    }),
  ),
  uptimeMs: count,
  recordings: z.array(z.string().min(1)),
  shapes: z.strictObject({ hash: z.string().regex(/^[0-9a-f]{64}$/), pieces: z.record(z.string(), z.unknown()) }),
})
