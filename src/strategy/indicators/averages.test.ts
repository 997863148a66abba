import { from, lastValueFrom, map, type OperatorFunction, toArray } from 'rxjs'
import { describe, expect, test } from 'vitest'
import { CLOSES } from '../../../test/support/tulipSeries.ts'
import { ema, movingAverages, sma } from './averages.ts'
import type { PriceLike } from './indicator.ts'

const over = <R>(prices: readonly PriceLike[], operator: OperatorFunction<PriceLike, R>) =>
  lastValueFrom(from(prices).pipe(operator, toArray()))
const rounded = (digits: number) => map((value: number) => Number(value.toFixed(digits)))

describe('sma', () => {
  test('gives the figures of Tulip Indicators, and of TA-Lib', async () => {
    const figures = [82.426, 82.738, 83.094, 83.318, 83.628, 83.778, 84.254, 84.994, 85.574, 86.218, 86.804]
    expect(await lastValueFrom(from(CLOSES).pipe(sma(5), rounded(3), toArray()))).toEqual(figures)
  })
})

describe('ema', () => {
  test('gives the figures of Tulip Indicators from the fifth on', async () => {
    const figures = [82.714, 82.859, 82.853, 83.232, 83.671, 83.901, 84.444, 85.143, 85.725, 86.407, 86.701]
    expect(await lastValueFrom(from(CLOSES).pipe(ema(5), rounded(3), toArray()))).toEqual(figures)
  })

  test('gives the example of "Technical Analysis from A to Z" (Achelis, page 209)', async () => {
    const closes = [25, 24.875, 24.781, 24.594, 24.5, 24.625, 25.219, 27.25]
    expect(await lastValueFrom(from(closes).pipe(ema(5), rounded(3), toArray()))).toEqual([24.698, 24.674, 24.856, 25.654])
  })
})

describe('movingAverages', () => {
  test('gives both averages of the same prices, once the slow one is known', async () => {
    const [fast, slow] = [await over(CLOSES, sma(3)), await over(CLOSES, sma(5))]
    expect(await over(CLOSES, movingAverages({ fast: 3, slow: 5 }))).toEqual(
      slow.map((value, index) => ({ fast: fast[index + 2], slow: value })),
    )
  })

  test('takes exponential ones when told', async () => {
    const [fast, slow] = [await over(CLOSES, ema(3)), await over(CLOSES, ema(5))]
    const averages = await over(CLOSES, movingAverages({ fast: 3, slow: 5, kind: 'ema' }))
    expect(averages).toEqual(slow.map((value, index) => ({ fast: fast[index + 2], slow: value })))
  })
})

test.each<readonly [name: string, create: () => unknown, parts: readonly string[]]>([
  ['sma of none', () => sma(0), ['sma: interval = 0: a whole number from 1 on']],
  ['sma of half a price', () => sma(2.5), ['sma: interval = 2.5']],
  ['ema of NaN', () => ema(Number.NaN), ['ema: interval = NaN']],
  ['a fast average of none', () => movingAverages({ fast: 0, slow: 5 }), ['movingAverages: fast = 0']],
  ['a slow average of infinitely many', () => movingAverages({ fast: 1, slow: Infinity }), ['movingAverages: slow = Infinity']],
  ['averages that cannot cross', () => movingAverages({ fast: 5, slow: 5 }), ['movingAverages: fast = 5', 'slow = 5']],
])('%s is refused, by field, value and what is allowed', (_name, create, parts) => {
  expect(create).toThrow(expect.objectContaining({ code: 'INDICATOR_INVALID' }))
  for (const part of parts) expect(create).toThrow(part)
})
