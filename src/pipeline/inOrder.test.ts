import { Subject } from 'rxjs'
import { describe, expect, test } from 'vitest'
import { VirtualClock } from '../core/clock.ts'
import { inOrder } from './inOrder.ts'
import type { Input, InputBody } from './input.ts'

const tick = (n: number): InputBody => ({ type: 'prices', tick: n })

describe('inOrder', () => {
  test('counts on from the last input of an earlier run', () => {
    const source$ = new Subject<InputBody>()
    const numbers: number[] = []
    source$.pipe(inOrder(new VirtualClock(), 41)).subscribe(({ n }) => numbers.push(n))
    source$.next(tick(1))
    source$.next(tick(2))
    expect(numbers).toEqual([42, 43])
  })

  test('an input is done with before the next begins, even where it feeds back', () => {
    const source$ = new Subject<InputBody>()
    const trace: string[] = []
    source$.pipe(inOrder(new VirtualClock(), 0)).subscribe((input) => {
      const name = input.type === 'prices' ? input.tick : 0
      trace.push(`${input.n}: tick ${name} begins`)
      if (name === 1) {
        source$.next(tick(2))
        source$.next(tick(3))
      }
      trace.push(`${input.n}: tick ${name} ends`)
    })
    source$.next(tick(1))
    expect(trace).toEqual([1, 2, 3].flatMap((n) => [`${n}: tick ${n} begins`, `${n}: tick ${n} ends`]))
  })

  test('time never goes back, whatever the clock does', () => {
    let now = 1000
    const clock = { now: () => now, at: () => () => {} }
    const source$ = new Subject<InputBody>()
    const times: number[] = []
    source$.pipe(inOrder(clock, 0)).subscribe(({ at }) => times.push(at))
    for (const reading of [1000, 2000, 1500, 1999, 2001]) {
      now = reading
      source$.next(tick(1))
    }
    expect(times).toEqual([1000, 2000, 2000, 2000, 2001])
  })

  test('what waits when the subscriber leaves is not delivered', () => {
    const source$ = new Subject<InputBody>()
    const seen: Input[] = []
    const subscription = source$.pipe(inOrder(new VirtualClock(), 0)).subscribe((input) => {
      seen.push(input)
      source$.next(tick(2))
      subscription.unsubscribe()
    })
    source$.next(tick(1))
    expect(seen).toHaveLength(1)
  })

  test('passes on how the source ends', () => {
    const source$ = new Subject<InputBody>()
    const ends: unknown[] = []
    source$.pipe(inOrder(new VirtualClock(), 0)).subscribe({ error: (error: unknown) => ends.push(error) })
    source$.error('the key is refused')
    const ended$ = new Subject<InputBody>()
    ended$.pipe(inOrder(new VirtualClock(), 0)).subscribe({ complete: () => ends.push('complete') })
    ended$.complete()
    expect(ends).toEqual(['the key is refused', 'complete'])
  })
})
