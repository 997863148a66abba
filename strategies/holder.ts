import { buy, defineTrader, oneAtATime, usdc } from 'cornerman'
import { EMPTY, filter, map, merge, startWith, withLatestFrom } from 'rxjs'
import { z } from 'zod'

/** Buys the contest's token at once and holds it to the end: a bag must be filled early, and never run low. */
export default defineTrader({
  name: 'holder',
  modes: ['last_bag_standing', 'same_token'],
  params: z.object({ amount: z.bigint().min(usdc('0.1')).default(usdc('10')).describe('USDC that the bag is bought for') }),

  trade(context) {
    const { params, contest, prices, positions$, outcomes$, log } = context
    const { token } = contest
    if (token === undefined) {
      log.warn('the contest does not say its token: nothing to hold')
      return EMPTY
    }
    // A swap that failed is asked for again at once: a bag has few seconds to be filled.
    const failed$ = outcomes$.pipe(filter(({ status }) => status === 'failed'))
    return merge(prices.price$(token), failed$).pipe(
      // The first time without waiting for a price.
      startWith(undefined),
      withLatestFrom(positions$),
      map(([, { fills }]) => (fills === 0 ? buy(context, token, params.amount) : undefined)),
      oneAtATime(context),
    )
  },
})
