import { Observable, type OperatorFunction } from 'rxjs'

/**
 * Many for one, at once: each is let out before the next is asked for, so that a generator sees what has become of the one before.
 * `mergeMap` would do, and takes ten times as long where there are none, which is nearly always.
 */
export const each =
  <T, R>(many: (value: T) => Iterable<R>): OperatorFunction<T, R> =>
  (source$) =>
    new Observable((subscriber) =>
      source$.subscribe({
        next: (value) => {
          try {
            for (const one of many(value)) subscriber.next(one)
          } catch (thrown) {
            subscriber.error(thrown)
          }
        },
        error: (thrown: unknown) => subscriber.error(thrown),
        complete: () => subscriber.complete(),
      }),
    )
