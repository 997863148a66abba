import { commitPrediction, defineStrategy, type Mint, priceFromNumber } from 'cornerman'
import { groupBy, mergeMap, takeLast } from 'rxjs'
import { z } from 'zod'

/**
 * Waits a little, and commits to the median of the prices it has seen meanwhile: one wild price, such as the start of a contest may
 * bring, is not what it bets on.
 */
export default defineStrategy({
  name: 'patient',
  params: z.object({
    waitSec: z.number().min(0.5).max(30).default(2).describe('seconds it waits; the service must take commitments for longer'),
    windowSec: z.number().int().min(1).max(600).default(10).describe('seconds of prices that the median is of'),
  }),

  run({ params, prices, predictionDue$, every }) {
    const median = (token: Mint): number | undefined => {
      const seen = prices.history(token, params.windowSec).map(({ price }) => price)
      return seen.toSorted((a, b) => a - b)[Math.floor(seen.length / 2)] ?? prices.now(token)
    }
    return predictionDue$.pipe(
      // A group of one contest is closed when the wait is over: what the bot learnt of the contest meanwhile begins no other wait.
      groupBy(({ contestId }) => contestId, { duration: () => every(params.waitSec) }),
      mergeMap((due$) => due$.pipe(takeLast(1))),
      mergeMap(({ contestId, token }) => {
        const price = token === undefined ? undefined : median(token)
        return price === undefined ? [] : [commitPrediction({ contestId, price: priceFromNumber(price) })]
      }),
    )
  },
})
