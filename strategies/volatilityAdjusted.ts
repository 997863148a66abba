import { bollingerBands, defineDraftPicker, lastOf, type PricePoint } from 'cornerman'
import { z } from 'zod'

/**
 * Drafts the token that rose most for its risk: the mean of its returns by their standard deviation, which is Sharpe's ratio
 * over the last seconds. A steady climb comes before a jump. A token whose past is too short comes last.
 */
export default defineDraftPicker({
  name: 'volatilityAdjusted',
  params: z.object({
    lookbackSec: z.number().int().min(5).max(3600).default(60).describe('seconds whose returns are looked at'),
    minReturns: z.number().int().min(2).max(1000).default(4).describe('returns that are needed to say anything'),
  }),

  pick({ params, draft, prices }) {
    const { lookbackSec, minReturns } = params
    const worth = (mint: string) => sharpe(returnsOf(prices.history(mint, lookbackSec)), minReturns) ?? -Infinity
    return draft.available
      .map((mint) => ({ mint, worth: worth(mint) }))
      .toSorted((a, b) => (a.worth === b.worth ? 0 : b.worth - a.worth))[0]?.mint
  },
})

const returnsOf = (points: readonly PricePoint[]): number[] =>
  points.slice(1).map(({ price }, index) => Math.log(price / (points[index]?.price ?? price)))

function sharpe(returns: readonly number[], least: number): number | undefined {
  if (returns.length < least) return undefined
  // The middle band is the mean, and the upper one a standard deviation over it.
  const bands = lastOf(returns, bollingerBands(returns.length, 1))
  if (bands === undefined) return undefined
  const deviation = bands.upper - bands.middle
  // What has not moved has no risk and no reward.
  return deviation > 0 ? bands.middle / deviation : Math.sign(bands.middle)
}
