import { Observable, type OperatorFunction } from 'rxjs'
import type { SwapIntent } from './action.ts'
import type { TradeContext } from './define.ts'

/** How patient `oneAtATime` is with a swap that comes to nothing. */
export interface OneAtATimeOptions {
  /** How often a swap of the same two tokens may fail in a row before it rests. Default 3. */
  readonly tries?: number
  /** How many seconds a swap rests that was refused, or that failed so often. Default 5. */
  readonly restSec?: number
}

/**
 * For a trader that says at every price which swap it wants now: lets one swap through, and drops all others until its outcome is
 * known. A swap that fails may be tried again at once, up to `tries` times in a row; after that, or after a refusal by the guard,
 * swaps of the same token for the same other one are dropped for `restSec` seconds. Nothing is kept for later: what the trader still
 * wants it will say again at the next price. Ends with its source.
 *
 * @example prices.price$(token).pipe(map(({ price }) => (price < 180 ? buy(context, token, usdc('10')) : undefined)), oneAtATime(context))
 */
export function oneAtATime(
  { outcomes$, clock }: Pick<TradeContext<unknown>, 'outcomes$' | 'clock'>,
  { tries = 3, restSec = 5 }: OneAtATimeOptions = {},
): OperatorFunction<SwapIntent | undefined, SwapIntent> {
  return (wish$) =>
    new Observable((subscriber) => {
      const restsUntil = new Map<string, number>()
      const failures = new Map<string, number>()
      let underWay: Pair | undefined

      const subscription = outcomes$.subscribe(({ status }) => {
        const swap = underWay
        underWay = undefined
        // After a restart there may be outcomes of swaps that this run did not ask for.
        if (swap === undefined || (status === 'filled' && failures.size === 0)) return
        const pair = pairOf(swap)
        const failed = status === 'failed' ? (failures.get(pair) ?? 0) + 1 : 0
        const rests = status === 'refused' || failed >= tries
        if (failed > 0 && !rests) failures.set(pair, failed)
        else failures.delete(pair)
        if (rests) restsUntil.set(pair, clock.now() + restSec * 1000)
      })
      subscription.add(
        wish$.subscribe({
          next: (wish) => {
            if (wish === undefined || underWay !== undefined) return
            if (restsUntil.size > 0 && clock.now() < (restsUntil.get(pairOf(wish)) ?? 0)) return
            underWay = { from: wish.from, to: wish.to }
            subscriber.next(wish)
          },
          error: (error: unknown) => subscriber.error(error),
          complete: () => subscriber.complete(),
        }),
      )
      return subscription
    })
}

type Pair = Pick<SwapIntent, 'from' | 'to'>

const pairOf = ({ from, to }: Pair): string => `${from}>${to}`
