import type { QuoteRule } from '../../rule.ts'

/** An impact the quote does not tell is judged by what comes of it, the gap to the feed. */
export const impact: QuoteRule = ({ quote: { impactBps } }, { config: { maxPriceImpactBps } }) => {
  if (impactBps === undefined || impactBps <= maxPriceImpactBps) return undefined
  return {
    code: 'QUOTE_IMPACT',
    message: `the swap would move the price by ${impactBps} bps, guard.maxPriceImpactBps is ${maxPriceImpactBps}`,
    numbers: { impactBps, maxPriceImpactBps },
  }
}
