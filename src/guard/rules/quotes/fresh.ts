import type { QuoteRule } from '../../rule.ts'

export const fresh: QuoteRule = ({ quote }, { now, config: { maxQuoteAgeMs } }) => {
  const ageMs = now - quote.askedAt
  if (ageMs <= maxQuoteAgeMs) return undefined
  return {
    code: 'QUOTE_STALE',
    message: `the quote was asked for ${ageMs} ms ago, guard.maxQuoteAgeMs is ${maxQuoteAgeMs}`,
    numbers: { ageMs, maxQuoteAgeMs },
  }
}
