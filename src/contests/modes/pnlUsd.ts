import { z } from 'zod'
import { ONE_USD } from '../money/usdValue.ts'
import { rational } from '../rational.ts'
import { portfolioMode } from './portfolioMode.ts'
import { commonParams, paramsReader } from './readParams.ts'

const paramsSchema = z.strictObject(commonParams)

/** The highest profit in USD wins, over swaps of any tokens, open positions at the prices of `endsAt`. */
export const pnlUsd = portfolioMode({
  name: 'pnl_usd',
  params: paramsReader(paramsSchema),
  tokens: () => null,
  score: ({ profit }) => rational(profit, ONE_USD),
})
