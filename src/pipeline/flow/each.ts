import { Observable, type OperatorFunction } from 'rxjs'
import { Listener } from './listener.ts'

/**
 * Many for one, at once: each is let out before the next is asked for, so that a generator sees what has become of the one before.
 * `mergeMap` would do, and takes ten times as long where there are none, which is nearly always.
 */
export const each =
  <T, R>(many: (value: T) => Iterable<R>): OperatorFunction<T, R> =>
  (source$) =>
    new Observable((subscriber) => {
      const letOut = (value: T) => {
        const found = many(value)
        if (found !== NOTHING) for (const one of found) subscriber.next(one)
      }
      return source$.subscribe(new Listener(subscriber, letOut, { isWhole: true }))
    })

/** What there nearly always is. */
export const NOTHING: readonly never[] = []
