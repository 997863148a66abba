import { z } from 'zod'
import { portfolioMode, returnOf } from './portfolioMode.ts'
import { commonParams, paramsReader, tokenParam, withTradedToken } from './readParams.ts'

const readParams = paramsReader(z.strictObject({ ...commonParams, ...tokenParam }))

/** As `pnl_race_pct`, where everyone swaps `params.token` and USDC alone. */
export const sameToken = portfolioMode({
  name: 'same_token',
  params: (asked, seating) => withTradedToken(readParams(asked), seating),
  tokens: ({ token }) => [token],
  score: returnOf,
})
