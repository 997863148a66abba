import { isObservable, type Observable, type Subscription } from 'rxjs'

/** What a strategy may answer with: a value, the promise of one, or an observable, whose first value counts. */
export type Answer<T> = T | Promise<T> | Observable<T>

/** Of observables whose first value is waited for, by the promise of it. */
const waiting = new WeakMap<Promise<unknown>, Subscription>()

/**
 * An answer, or the promise of it: of an observable that of its first value, or of undefined where it ends without one.
 */
export function answerOf<T>(answer: Answer<T>): T | Promise<T | undefined> {
  if (!isObservable(answer)) return answer
  const { promise, resolve, reject } = Promise.withResolvers<T | undefined>()
  const subscription = answer.subscribe({
    next: (value) => {
      resolve(value)
      // Of one that emits at once there is no subscription yet.
      queueMicrotask(() => subscription.unsubscribe())
    },
    error: reject,
    complete: () => resolve(undefined),
  })
  waiting.set(promise, subscription)
  return promise
}

/** Nobody waits for an answer any more: an observable is unsubscribed from. */
export function abandon(answer: Promise<unknown>): void {
  waiting.get(answer)?.unsubscribe()
}
