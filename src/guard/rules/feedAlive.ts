import { traitsOf } from '../../contract/modes.ts'
import { entryRule } from '../rule.ts'

/** A feed that is slow, or a log with a price a minute, is alive all the same. */
const LEAST_MS = 120_000

/** What is won by swaps or by a predicted price is entered only while there are prices: without them the stake is as good as lost. */
export const feedAlive = entryRule(({ mode }, { pricesAgeMs: ageMs, config }) => {
  if (traitsOf(mode)?.needsFeed !== true) return undefined
  if (ageMs === undefined) {
    return { code: 'PRICE_UNKNOWN', message: `the feed has given no price yet, and ${mode} is played by prices`, numbers: { mode } }
  }
  const maxPriceAgeMs = Math.max(config.maxPriceAgeMs, LEAST_MS)
  if (ageMs <= maxPriceAgeMs) return undefined
  return {
    code: 'PRICE_STALE',
    message: `the feed has given no price for ${ageMs} ms, and ${mode} is played by prices`,
    numbers: { mode, ageMs, maxPriceAgeMs },
  }
})
