import type { QuoteRule } from '../../rule.ts'
import { aboveFeed } from './aboveFeed.ts'
import { allowed } from './allowed.ts'
import { fresh } from './fresh.ts'
import { impact } from './impact.ts'
import { matches } from './matches.ts'
import { pricesFresh } from './pricesFresh.ts'
import { slippage } from './slippage.ts'
import { stillPlays } from './stillPlays.ts'

/** Every rule for a quote, asked once it is there and once more for the transaction made from it. */
export const quoteRules: readonly QuoteRule[] = [allowed, stillPlays, fresh, slippage, matches, pricesFresh, impact, aboveFeed]
