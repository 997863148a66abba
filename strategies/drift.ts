import { definePredictor, priceFromNumber } from 'cornerman'
import { z } from 'zod'

/**
 * Predicts the price now, moved on by a share of its recent drift until the contest ends, though for no longer than the
 * drift was measured: further on it says nothing, and could even lead below 0.
 */
export default definePredictor({
  name: 'drift',
  params: z.object({
    lookbackSec: z.number().int().min(5).max(3600).default(30).describe('seconds that the drift is measured over'),
    share: z.number().min(0).max(1).default(0.3).describe('how much of the drift is believed to go on: 0 predicts the price of now'),
  }),
  modes: ['price_prediction'],

  predict({ params, contest, prices, clock }) {
    if (contest.token === undefined) return null
    const now = prices.now(contest.token)
    if (now === undefined) return null
    const drift = prices.change(contest.token, params.lookbackSec) ?? 0
    const { endsAt, durationSec = 0 } = contest
    const leftSec = endsAt === undefined ? durationSec : Math.max(0, endsAt - clock.now()) / 1000
    const move = params.share * drift * Math.min(1, leftSec / params.lookbackSec)
    return { price: priceFromNumber(now * (1 + move)) }
  },
})
