import type { QuoteRule } from '../../rule.ts'
import { pricesNotFresh } from '../swaps/pricesFresh.ts'

export const pricesFresh: QuoteRule = ({ action }, view) => pricesNotFresh(action, view)
