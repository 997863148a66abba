import { from, lastValueFrom, type OperatorFunction, toArray } from 'rxjs'
import { describe, expect, test } from 'vitest'
import { CANDLES, CLOSES } from '../../../test/support/tulipSeries.ts'
import { donchianChannel, highest, lowest } from './channel.ts'
import type { PriceLike } from './indicator.ts'

const over = <R>(inputs: readonly PriceLike[], operator: OperatorFunction<PriceLike, R>) =>
  lastValueFrom(from(inputs).pipe(operator, toArray()))

describe('of prices', () => {
  const max = [83.61, 83.61, 83.61, 83.99, 84.55, 84.55, 85.53, 86.54, 86.89, 87.77, 87.77]
  const min = [81.06, 81.06, 82.84, 82.84, 82.84, 82.84, 82.84, 83.99, 84.36, 84.36, 85.53]

  test('highest and lowest give the figures of Tulip Indicators', async () => {
    expect(await over(CLOSES, highest(5))).toEqual(max)
    expect(await over(CLOSES, lowest(5))).toEqual(min)
  })

  test('the channel has both, and their middle', async () => {
    const figures = max.map((upper, index) => ({ lower: min[index], middle: (upper + (min[index] ?? 0)) / 2, upper }))
    expect(await over(CLOSES, donchianChannel(5))).toEqual(figures)
  })

  test('points of a price stream are prices', async () => {
    const points = CLOSES.map((price, index) => ({ at: index * 1000, price }))
    expect(await over(points, highest(5))).toEqual(max)
    expect(await over(points, lowest(5))).toEqual(min)
  })
})

describe('of candles', () => {
  test('highest and lowest are of highs and lows, as TA-Lib has them', async () => {
    expect(await over(CANDLES, highest(5))).toEqual([83.85, 83.9, 83.9, 84.3, 84.84, 85, 85.9, 86.58, 86.98, 88, 88])
    expect(await over(CANDLES, lowest(5))).toEqual([80.64, 80.64, 81.31, 82.3, 82.3, 82.3, 82.3, 82.3, 84.03, 84.03, 84.03])
  })
})

test('is of 20, if not told otherwise', async () => {
  const prices = Array.from({ length: 21 }, (_, index) => index)
  expect(await over(prices, donchianChannel())).toEqual([
    { lower: 0, middle: 9.5, upper: 19 },
    { lower: 1, middle: 10.5, upper: 20 },
  ])
})

test.each<readonly [name: string, create: () => unknown]>([
  ['donchianChannel', () => donchianChannel(0)],
  ['highest', () => highest(0)],
  ['lowest', () => lowest(0)],
])('%s of nothing is refused', (name, create) => {
  expect(create).toThrow(expect.objectContaining({ code: 'INDICATOR_INVALID', message: `${name}: interval = 0: a whole number from 1 on` }))
})
