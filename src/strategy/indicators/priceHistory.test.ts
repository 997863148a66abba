import { Subject } from 'rxjs'
import { expect, test } from 'vitest'
import type { PricePoint, Prices } from '../view.ts'
import { priceHistory$ } from './priceHistory.ts'

test('gives the past at once, then what comes, and what is in both only once; it ends with the stream', () => {
  const live$ = new Subject<PricePoint>()
  let history: readonly PricePoint[] = []
  const prices: Prices = {
    now: () => undefined,
    age: () => undefined,
    text: () => undefined,
    change: () => undefined,
    history: (mint, seconds) => (mint === 'sol' && seconds === 30 ? history : []),
    price$: (mint) => (mint === 'sol' ? live$.asObservable() : new Subject<PricePoint>()),
    candles$: () => new Subject<never>(),
  }
  const warm$ = priceHistory$(prices, 'sol', 30)
  // Read at the subscription, which may be later than the call.
  history = [
    { at: 1000, price: 1 },
    { at: 2000, price: 2 },
  ]
  const seen: unknown[] = []
  warm$.subscribe({ next: ({ price }) => seen.push(price), complete: () => seen.push('ended') })
  expect(seen).toEqual([1, 2])
  live$.next({ at: 2000, price: 2 })
  live$.next({ at: 3000, price: 2 })
  live$.complete()
  expect(seen).toEqual([1, 2, 2, 'ended'])
})
