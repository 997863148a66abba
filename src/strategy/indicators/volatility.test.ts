import { from, lastValueFrom, map, toArray } from 'rxjs'
import { describe, expect, test } from 'vitest'
import { CANDLES, CLOSES } from '../../../test/support/tulipSeries.ts'
import { atr, type Bands, bollingerBands } from './volatility.ts'

const rounded = ({ lower, middle, upper }: Bands) => [lower, middle, upper].map((value) => Number(value.toFixed(3)))

describe('bollingerBands', () => {
  test('gives the figures of Tulip Indicators', async () => {
    const lower = [80.53, 80.987, 82.533, 82.472, 82.418, 82.435, 82.511, 83.143, 83.536, 83.87, 85.289]
    const middle = [82.426, 82.738, 83.094, 83.318, 83.628, 83.778, 84.254, 84.994, 85.574, 86.218, 86.804]
    const upper = [84.322, 84.489, 83.655, 84.164, 84.838, 85.121, 85.997, 86.845, 87.612, 88.566, 88.319]
    const figures = middle.map((value, index) => [lower[index], value, upper[index]])
    expect(await lastValueFrom(from(CLOSES).pipe(bollingerBands(5, 2), map(rounded), toArray()))).toEqual(figures)
  })

  test('are 20 prices and 2 deviations, if not told otherwise', async () => {
    const prices = [...CLOSES, ...CLOSES.toReversed()]
    const [usual, told] = [bollingerBands(), bollingerBands(20, 2)]
    const ofUsual = await lastValueFrom(from(prices).pipe(usual, toArray()))
    expect(ofUsual).toHaveLength(11)
    expect(ofUsual).toEqual(await lastValueFrom(from(prices).pipe(told, toArray())))
  })

  test('with more deviations are wider around the same middle', async () => {
    const [two, three] = await Promise.all([2, 3].map((deviations) => lastValueFrom(from(CLOSES).pipe(bollingerBands(5, deviations)))))
    if (two === undefined || three === undefined) throw new Error('no bands')
    expect(three.middle).toBe(two.middle)
    expect((three.upper - three.lower) / (two.upper - two.lower)).toBeCloseTo(1.5, 10)
  })
})

describe('atr', () => {
  test('gives the figures of Tulip Indicators, and of TA-Lib', async () => {
    const figures = [1.116, 1.051, 1.009, 1.207, 1.136, 1.086, 1.243, 1.233, 1.23, 1.206, 1.137]
    const rounded = map((value: number) => Number(value.toFixed(3)))
    expect(await lastValueFrom(from(CANDLES).pipe(atr(5), rounded, toArray()))).toEqual(figures)
  })

  test('is of 14 candles, if not told otherwise', async () => {
    expect(await lastValueFrom(from(CANDLES).pipe(atr(), toArray()))).toHaveLength(2)
  })
})

test.each<readonly [name: string, create: () => unknown, message: string]>([
  ['bands of no prices', () => bollingerBands(0), 'bollingerBands: interval = 0: a whole number from 1 on'],
  ['bands without a width', () => bollingerBands(20, 0), 'bollingerBands: deviations = 0: a number above 0'],
  ['bands of NaN', () => bollingerBands(20, Number.NaN), 'bollingerBands: deviations = NaN'],
  ['atr of less than a candle', () => atr(-1), 'atr: interval = -1: a whole number from 1 on'],
])('%s is refused', (_name, create, message) => {
  expect(create).toThrow(expect.objectContaining({ code: 'INDICATOR_INVALID' }))
  expect(create).toThrow(message)
})
