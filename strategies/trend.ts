import { definePredictor } from 'cornerman'
import { z } from 'zod'

/** Takes the side the price has been moving to. Without enough history, or without a move, it passes. */
export default definePredictor({
  name: 'trend',
  params: z.object({ lookbackSec: z.number().int().min(2).max(3600).default(8).describe('seconds that the move is measured over') }),
  modes: ['up_down'],

  predict({ params, contest, prices }) {
    const change = contest.token === undefined ? undefined : prices.change(contest.token, params.lookbackSec)
    if (change === undefined || change === 0) return null
    return { side: change > 0 ? 'UP' : 'DOWN' }
  },
})
