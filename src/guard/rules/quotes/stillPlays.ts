import type { QuoteRule } from '../../rule.ts'
import { contestPlays } from '../swaps/contestPlays.ts'

/** A window that has closed since the swap was let out: what is swapped now counts for nothing, and costs what it costs. */
export const stillPlays: QuoteRule = ({ action }, view) => contestPlays(action, view)
