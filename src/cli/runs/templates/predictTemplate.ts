import { definePredictor, priceFromNumber } from 'cornerman'
import { z } from 'zod'

/**
 * Believes that a move half undoes itself: predicts a price part of the way back to where it came from, and the side that
 * leads back. Without a price, or a past long enough, it passes.
 */
export default definePredictor({
  name: 'predictTemplate',
  params: z.object({
    lookbackSec: z.number().int().min(2).max(3600).default(20).describe('seconds that the move is measured over'),
    share: z.number().min(0).max(1).default(0.5).describe('how much of the move is undone: 0 predicts the price of now'),
  }),
  modes: ['price_prediction', 'up_down'],

  predict({ params, contest, prices }) {
    const { token } = contest
    const now = token === undefined ? undefined : prices.now(token)
    const change = token === undefined ? undefined : prices.change(token, params.lookbackSec)
    // What is not known is undefined, never 0.
    if (now === undefined || change === undefined) return null
    if (contest.mode === 'up_down') return change === 0 ? null : { side: change < 0 ? 'UP' : 'DOWN' }
    const before = now / (1 + change)
    return { price: priceFromNumber(now + (before - now) * params.share) }
  },
})
