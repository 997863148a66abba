import { bollingerBands, buy, candles, defineTrader, heldOf, oneAtATime, priceHistory$, SOL_MINT, sellAll, usdc } from 'cornerman'
import { map, startWith, withLatestFrom } from 'rxjs'
import { z } from 'zod'

/** The share of the contest after which it buys wherever the price is: who has bought nothing has made no move. */
const LATEST_ENTRY = 0.6

/**
 * Buys what has fallen far under its average, and sells once it is back there: the lower and the middle of Bollinger's bands.
 * It takes many small profits, and a large loss where the price does not come back.
 */
export default defineTrader({
  name: 'meanReversion',
  modes: ['pnl_usd', 'pnl_race_pct', 'best_trade', 'same_token'],
  params: z.object({
    token: z.string().min(32).max(44).default(SOL_MINT).describe('what to trade where the contest is about no token of its own'),
    interval: z.number().int().min(3).max(500).default(20).describe('candles of the average and of the bands about it'),
    candleSec: z.number().int().min(1).max(3600).default(1).describe('seconds of a candle'),
    deviations: z.number().min(0.1).max(10).default(1.5).describe('standard deviations from the average to a band'),
    amount: z.bigint().min(usdc('0.1')).default(usdc('10')).describe('USDC of a purchase'),
  }),

  trade(context) {
    const { params, contest, prices, positions$ } = context
    const { interval, candleSec, deviations, amount } = params
    const token = contest.token ?? params.token
    const { startsAt = 0, endsAt = startsAt } = contest
    const enterBy = startsAt + (endsAt - startsAt) * LATEST_ENTRY
    const bands$ = priceHistory$(prices, token, (interval + 1) * candleSec).pipe(
      candles(candleSec, { carry: true }),
      bollingerBands(interval, deviations),
      startWith(undefined),
    )

    return prices.price$(token).pipe(
      withLatestFrom(bands$, positions$),
      map(([{ at, price }, bands, positions]) => {
        const isLate = at >= enterBy
        if (heldOf(positions, token) > 0n) {
          // Late there is no time to buy again: what is held then is held for more.
          const isBack = bands !== undefined && (isLate ? price > bands.upper : price >= bands.middle)
          return isBack ? sellAll(positions, token) : undefined
        }
        const isLow = bands !== undefined && price < bands.lower
        return isLow || (isLate && positions.fills === 0) ? buy(context, token, amount) : undefined
      }),
      oneAtATime(context),
    )
  },
})
