import { from, type OperatorFunction } from 'rxjs'

/**
 * What an indicator says after all these inputs, at once: for strategies that are asked and hold no stream. Undefined where
 * it has not seen enough.
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
