import { buy, candles, defineTrader, heldOf, highest, oneAtATime, priceHistory$, SOL_MINT, sellAll, usdc } from 'cornerman'
import { map, startWith, withLatestFrom } from 'rxjs'
import { z } from 'zod'

/** The share of the contest after which it buys without a dip: who has bought nothing has made no move. */
const LATEST_ENTRY = 0.5

/** Buys the dip: once the price has fallen so far under its recent high, and sells when it is back there. */
export default defineTrader({
  name: 'tradeTemplate',
  modes: ['pnl_usd', 'pnl_race_pct', 'best_trade', 'target_race', 'same_token'],
  params: z.object({
    token: z.string().min(32).max(44).default(SOL_MINT).describe('what to trade where the contest is about no token of its own'),
    highSec: z.number().int().min(2).max(3600).default(15).describe('seconds that the recent high is of'),
    dip: z.number().min(0.0001).max(0.5).default(0.002).describe('how far under the high it buys; 0.002 is 0.2 %'),
    amount: z.bigint().min(usdc('0.1')).default(usdc('10')).describe('USDC of a purchase'),
  }),

  trade(context) {
    const { params, contest, prices, positions$ } = context
    const token = contest.token ?? params.token
    const { startsAt = 0, endsAt = startsAt } = contest
    const enterBy = startsAt + (endsAt - startsAt) * LATEST_ENTRY
    const high$ = priceHistory$(prices, token, params.highSec + 1).pipe(
      candles(1, { carry: true }),
      highest(params.highSec),
      startWith(undefined),
    )

    return prices.price$(token).pipe(
      withLatestFrom(high$, positions$),
      map(([{ at, price }, high, positions]) => {
        if (heldOf(positions, token) > 0n) return high !== undefined && price >= high ? sellAll(positions, token) : undefined
        const isDip = high !== undefined && price <= high * (1 - params.dip)
        const isLate = positions.fills === 0 && at >= enterBy
        return isDip || isLate ? buy(context, token, params.amount) : undefined
      }),
      // A wallet makes one swap at a time: the next one waits for what became of this one.
      oneAtATime(context),
    )
  },
})
