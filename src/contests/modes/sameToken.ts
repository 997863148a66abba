import { z } from 'zod'
import { portfolioMode, returnOf } from './portfolioMode.ts'
import { commonParams, readParams, tokenParam, withTradedToken } from './readParams.ts'

const paramsSchema = z.strictObject({ ...commonParams, ...tokenParam })

/** As `pnl_race_pct`, where everyone swaps `params.token` and USDC alone. */
export const sameToken = portfolioMode({
  name: 'same_token',
  params: (asked, seating) => withTradedToken(readParams(paramsSchema, asked), seating),
  tokens: ({ token }) => [token],
  score: returnOf,
})
