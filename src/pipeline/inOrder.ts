import { Observable, type OperatorFunction } from 'rxjs'
import type { Clock } from '../core/clock.ts'
import type { Input, InputBody } from './input.ts'

/**
 * The sequencer: gives every input its number and its time, and lets the next one in only when all
 * that is downstream has done with this one, even where it feeds back synchronously.
 *
 * @param lastInput the number of the last input of an earlier run: this one counts on
 */
export function inOrder(clock: Clock, lastInput: number): OperatorFunction<InputBody, Input> {
  return (source) =>
    new Observable((subscriber) => {
      const waiting: InputBody[] = []
      let n = lastInput
      let lastAt = 0
      let isBusy = false
      const enter = (first: InputBody) => {
        isBusy = true
        try {
          for (let body: InputBody | undefined = first; body !== undefined && !subscriber.closed; body = waiting.shift()) {
            // A wall clock can step back; a bot's own time does not.
            lastAt = Math.max(lastAt, clock.now())
            n += 1
            subscriber.next(placed(body, n, lastAt))
          }
        } finally {
          isBusy = false
        }
      }
      return source.subscribe({
        next: (body) => {
          if (isBusy) waiting.push(body)
          else enter(body)
        },
        error: (error: unknown) => subscriber.error(error),
        complete: () => subscriber.complete(),
      })
    })
}

/** A price, by far the commonest input, is put together by name: a copy of just anything takes several times as long. */
const placed = (body: InputBody, n: number, at: number): Input =>
  body.type === 'prices' ? { type: 'prices', tick: body.tick, n, at } : { ...body, n, at }
