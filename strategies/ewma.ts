import { definePredictor, ema, lastOf, priceFromNumber } from 'cornerman'
import { z } from 'zod'

/**
 * Predicts the exponentially weighted average of the last prices: where a price jitters about a level, the level says more of
 * the next minute than the newest price does.
 */
export default definePredictor({
  name: 'ewma',
  params: z.object({
    span: z.number().int().min(1).max(500).default(8).describe('prices that count: each weighs 2 ÷ (span + 1) of those before it'),
    lookbackSec: z.number().int().min(5).max(3600).default(120).describe('seconds of prices that are averaged'),
    share: z.number().min(0).max(1).default(0.5).describe('how far from the price of now to the average: 0 predicts the price of now'),
  }),
  modes: ['price_prediction'],

  predict({ params, contest, prices }) {
    const { span, lookbackSec, share } = params
    const now = contest.token === undefined ? undefined : prices.now(contest.token)
    if (contest.token === undefined || now === undefined) return null
    // Silent until it has seen as many prices as count: then the price of now has to do.
    const average = lastOf(prices.history(contest.token, lookbackSec), ema(span)) ?? now
    return { price: priceFromNumber(now + (average - now) * share) }
  },
})
