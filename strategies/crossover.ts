import { buy, candles, defineTrader, heldOf, movingAverages, oneAtATime, priceHistory$, SOL_MINT, sellAll, usdc } from 'cornerman'
import { map, startWith, withLatestFrom } from 'rxjs'
import { z } from 'zod'

/**
 * Follows the trend: buys while the fast average of the price is above the slow one, sells when it falls below. It opens a
 * small position at once, whatever the averages say: who has swapped nothing has made no move, and ranks behind every loss.
 */
export default defineTrader({
  name: 'crossover',
  modes: ['pnl_race_pct', 'pnl_usd', 'same_token', 'target_race'],
  params: z
    .object({
      token: z.string().min(32).max(44).default(SOL_MINT).describe('what to trade where the contest is about no token of its own'),
      fast: z.number().int().min(1).max(500).default(3).describe('candles that the fast average looks back over'),
      slow: z.number().int().min(2).max(1000).default(8).describe('candles that the slow average looks back over'),
      candleSec: z.number().int().min(1).max(3600).default(1).describe('seconds of a candle'),
      amount: z.bigint().min(usdc('0.2')).default(usdc('10')).describe('USDC of the whole position'),
      opening: z.bigint().min(usdc('0.1')).default(usdc('1')).describe('USDC of the part of it that is opened at once'),
    })
    .refine(({ fast, slow }) => fast < slow, 'fast must be under slow')
    .refine(({ opening, amount }) => opening <= amount / 2n, 'opening must be at most half of amount'),

  trade(context) {
    const { params, contest, prices, positions$ } = context
    const { fast, slow, candleSec, amount, opening } = params
    const token = contest.token ?? params.token
    // One candle more: the first one of the history is hardly a whole one.
    const candle$ = priceHistory$(prices, token, (slow + 1) * candleSec).pipe(candles(candleSec, { carry: true }))
    const averages$ = candle$.pipe(movingAverages({ fast, slow }), startWith(undefined))

    return prices.price$(token).pipe(
      withLatestFrom(averages$, positions$),
      map(([, averages, positions]) => {
        if (positions.fills === 0) return buy(context, token, opening)
        if (averages === undefined) return undefined
        const held = heldOf(positions, token)
        // The opening is the first swap: it is kept until the rest has been bought too.
        const isIn = held > 0n && positions.fills > 1
        if (averages.fast > averages.slow && !isIn) return buy(context, token, held > 0n ? amount - opening : amount)
        if (averages.fast < averages.slow && isIn) return sellAll(positions, token)
        return undefined
      }),
      oneAtATime(context),
    )
  },
})
