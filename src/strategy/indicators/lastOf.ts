import { from, type OperatorFunction } from 'rxjs'

/**
 * The last result of an indicator over these inputs, at once: for strategies that are asked, and listen to no stream. Undefined where
 * the indicator has not seen enough.
 *
 * @param operator one that needs no time of its own, as all indicators here
 * @example lastOf(prices.history(SOL_MINT, 60), ema(10))
 */
export function lastOf<I, R>(inputs: Iterable<I>, operator: OperatorFunction<I, R>): R | undefined {
  let last: R | undefined
  from(inputs)
    .pipe(operator)
    .subscribe((result) => {
      last = result
    })
    .unsubscribe()
  return last
}
