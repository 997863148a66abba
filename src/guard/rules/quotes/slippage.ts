import type { QuoteRule } from '../../rule.ts'
import { overSlippage } from '../swaps/slippage.ts'

export const slippage: QuoteRule = ({ quote }, { config }) => overSlippage(quote.slippageBps, config.maxSlippageBps)
