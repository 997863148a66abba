import { z } from 'zod'
import type { SwapQuote } from '../../../guard/index.ts'

const MOST_UNITS = 2n ** 64n - 1n
const DECIMAL = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/
const BPS = 10_000

const mint = z.string().regex(/^[1-9A-HJ-NP-Za-km-z]{32,44}$/, 'no mint')
const amount = z
  .string()
  .regex(/^\d{1,20}$/, 'not a string of digits')
  .transform(BigInt)
  .refine((units) => units <= MOST_UNITS, 'over 64 bits')

/** Of the many fields of a quote, which come and go, those that are decided by. */
const quoteSchema = z.looseObject({
  inputMint: mint,
  outputMint: mint,
  inAmount: amount,
  outAmount: amount,
  otherAmountThreshold: amount,
  // In a quote of the other mode the threshold is the most that goes in.
  swapMode: z.literal('ExactIn'),
  slippageBps: z.number().int().min(0).max(BPS),
  priceImpactPct: z.union([z.string(), z.number()]).optional().catch(undefined),
})

/** Reads a quote of Jupiter's Swap API v1; a text says what is wrong with it. */
export function readQuote(json: unknown, askedAt: number): SwapQuote | string {
  const read = quoteSchema.safeParse(json)
  if (!read.success) {
    const [issue] = read.error.issues
    return `${issue?.path.join('.')}: ${issue?.message}`
  }
  const { inputMint, outputMint, inAmount, outAmount, otherAmountThreshold, slippageBps, priceImpactPct } = read.data
  return {
    from: inputMint,
    to: outputMint,
    inAmount,
    outAmount,
    minOut: otherAmountThreshold,
    slippageBps,
    impactBps: impactOf(priceImpactPct),
    askedAt,
  }
}

/**
 * A fraction, whatever its name says: the quote of 1 USDC with `priceImpactPct` 0.00042 has a `swapUsdValue` of 0.99958.
 * Twelve digits, so that 0.0029 is 29 and not a hair less.
 */
function impactOf(fraction: string | number | undefined): number | undefined {
  const text = String(fraction)
  const bps = Number((Number(text) * BPS).toPrecision(12))
  return DECIMAL.test(text) && Number.isFinite(bps) ? bps : undefined
}
