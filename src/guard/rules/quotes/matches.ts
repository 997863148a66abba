import { ceilDivide } from '../../../core/ceilDivide.ts'
import type { QuoteRule } from '../../rule.ts'
import type { Refusal } from '../../verdict.ts'

/** The quote is of what was asked: these tokens, no more of the one, and of the other at least what the slippage leaves. */
export const matches: QuoteRule = ({ action, quote }, { config }) => {
  const { inAmount, outAmount, minOut, slippageBps } = quote
  const askedBps = action.maxSlippageBps ?? config.maxSlippageBps
  if (quote.from !== action.from) return refusal('from', quote.from, action.from)
  if (quote.to !== action.to) return refusal('to', quote.to, action.to)
  if (inAmount <= 0n || inAmount > action.amount) return refusal('inAmount', inAmount, action.amount)
  if (slippageBps !== askedBps) return refusal('slippageBps', slippageBps, askedBps)
  // Jupiter rounds the least that comes back up.
  const least = ceilDivide(outAmount * BigInt(10_000 - slippageBps), 10_000n)
  return outAmount > 0n && minOut === least ? undefined : refusal('minOut', minOut, least)
}

const refusal = (field: string, quoted: string | number | bigint, asked: string | number | bigint): Refusal => ({
  code: 'QUOTE_MISMATCH',
  message: `the quote has ${field} ${quoted} where ${asked} was asked for`,
  numbers: { field, quoted, asked },
})
