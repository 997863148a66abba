import { from, lastValueFrom, Subject, toArray } from 'rxjs'
import { describe, expect, test } from 'vitest'
import type { PricePoint } from '../view.ts'
import { candles } from './candles.ts'

const over = (points: readonly PricePoint[], seconds: number) => lastValueFrom(from(points).pipe(candles(seconds), toArray()))
const points = (...known: readonly (readonly [at: number, price: number])[]) => known.map(([at, price]) => ({ at, price }))

describe('candles', () => {
  test('are of whole periods since 1970, and out when the next one begins', async () => {
    expect(await over(points([9_000, 5], [10_000, 6], [11_000, 9], [12_500, 4], [14_999, 7], [15_000, 8]), 5)).toEqual([
      { at: 5_000, open: 5, high: 5, low: 5, close: 5 },
      { at: 10_000, open: 6, high: 9, low: 4, close: 7 },
    ])
  })

  test('have none for a period without a price', async () => {
    expect((await over(points([0, 1], [30_000, 2], [31_000, 3]), 1)).map(({ at }) => at)).toEqual([0, 30_000])
  })

  test('start anew at each subscription, and end and fail with their source', async () => {
    const candle$ = from(points([0, 1], [1000, 2])).pipe(candles(1))
    expect(await lastValueFrom(candle$.pipe(toArray()))).toEqual(await lastValueFrom(candle$.pipe(toArray())))
    const seen: unknown[] = []
    const broken$ = new Subject<PricePoint>()
    broken$.pipe(candles(1)).subscribe({ error: (thrown) => seen.push(thrown) })
    broken$.error('broken')
    expect(seen).toEqual(['broken'])
  })

  test.each([0, -1, Number.NaN, Infinity])('of %s seconds are refused', (seconds) => {
    expect(() => candles(seconds)).toThrow(
      expect.objectContaining({ code: 'INDICATOR_INVALID', message: `candles: seconds = ${seconds}: a number above 0` }),
    )
  })
})
