import { from, lastValueFrom, Subject, toArray } from 'rxjs'
import { describe, expect, test } from 'vitest'
import type { PricePoint } from '../view.ts'
import { type CandlesOptions, candles } from './candles.ts'

const over = (points: readonly PricePoint[], seconds: number, options?: CandlesOptions) =>
  lastValueFrom(from(points).pipe(candles(seconds, options), toArray()))
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

  test('carry the last close through periods without a price where they are asked to, before the next candle', async () => {
    const flat = (at: number, price: number) => ({ at, open: price, high: price, low: price, close: price })
    expect(await over(points([500, 3], [900, 1], [3_100, 2], [4_000, 5], [6_000, 6]), 1, { carry: true })).toEqual([
      { at: 0, open: 3, high: 3, low: 1, close: 1 },
      ...[flat(1_000, 1), flat(2_000, 1)],
      flat(3_000, 2),
      ...[flat(4_000, 5), flat(5_000, 5)],
    ])
    expect((await over(points([0, 1], [400, 2], [900, 3]), 0.1, { carry: true })).map(({ at }) => at)).toEqual(
      [0, 1, 2, 3, 4, 5, 6, 7, 8].map((tenths) => tenths * 100),
    )
  })

  test('carry through the newest hour and more of a long pause, and not through all of it', async () => {
    const carried = await over(points([0, 1], [86_400_000 * 365, 2]), 1, { carry: true })
    expect(carried).toHaveLength(4097)
    expect(carried.at(-1)?.at).toBe(86_400_000 * 365 - 1000)
  })

  test('carry nothing where time goes back', async () => {
    expect((await over(points([60_000, 1], [1_000, 2], [2_000, 3]), 1, { carry: true })).map(({ at }) => at)).toEqual([60_000, 1_000])
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
