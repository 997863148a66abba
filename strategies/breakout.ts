import { buy, candles, defineTrader, heldOf, highest, lowest, oneAtATime, priceHistory$, SOL_MINT, sellAll, usdc } from 'cornerman'
import { map, startWith, withLatestFrom } from 'rxjs'
import { z } from 'zod'

/** The share of the contest after which it buys without a breakout: who has bought nothing has made no move. */
const LATEST_ENTRY = 0.6

/**
 * Buys when the price breaks out above the highest of the last seconds, and sells when it falls under the lowest of the last
 * few: a stop that follows the price. These are Donchian channels, as the Turtles traded them by days.
 */
export default defineTrader({
  name: 'breakout',
  modes: ['best_trade', 'pnl_usd', 'pnl_race_pct', 'target_race', 'same_token'],
  params: z.object({
    token: z.string().min(32).max(44).default(SOL_MINT).describe('what to trade where the contest is about no token of its own'),
    channelSec: z.number().int().min(2).max(3600).default(10).describe('seconds whose highest price it has to break out of'),
    stopSec: z.number().int().min(1).max(3600).default(6).describe('seconds whose lowest price is the stop'),
    amount: z.bigint().min(usdc('0.1')).default(usdc('10')).describe('USDC of a purchase'),
  }),

  trade(context) {
    const { params, contest, prices, positions$ } = context
    const { channelSec, stopSec, amount } = params
    const token = contest.token ?? params.token
    const { startsAt = 0, endsAt = startsAt } = contest
    const enterBy = startsAt + (endsAt - startsAt) * LATEST_ENTRY
    const candle$ = priceHistory$(prices, token, Math.max(channelSec, stopSec) + 1).pipe(candles(1, { carry: true }))
    const ceiling$ = candle$.pipe(highest(channelSec), startWith(Infinity))
    const floor$ = candle$.pipe(lowest(stopSec), startWith(0))

    return prices.price$(token).pipe(
      // Closed candles: the price of now is not in them, and can be above them all.
      withLatestFrom(ceiling$, floor$, positions$),
      map(([{ at, price }, ceiling, floor, positions]) => {
        if (heldOf(positions, token) > 0n) return price < floor ? sellAll(positions, token) : undefined
        const isLate = positions.fills === 0 && at >= enterBy
        return price > ceiling || isLate ? buy(context, token, amount) : undefined
      }),
      oneAtATime(context),
    )
  },
})
