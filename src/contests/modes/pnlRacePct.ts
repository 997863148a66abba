import { z } from 'zod'
import { portfolioMode, returnOf } from './portfolioMode.ts'
import { commonParams, paramsReader } from './readParams.ts'

const paramsSchema = z.strictObject(commonParams)

/** The highest profit and loss ÷ peak capital deployed wins, over swaps of any tokens. */
export const pnlRacePct = portfolioMode({
  name: 'pnl_race_pct',
  params: paramsReader(paramsSchema),
  tokens: () => null,
  score: returnOf,
})
