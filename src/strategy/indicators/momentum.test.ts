import { from, lastValueFrom, map, toArray } from 'rxjs'
import { describe, expect, test } from 'vitest'
import { CLOSES } from '../../../test/support/tulipSeries.ts'
import { type MacdOptions, macd, rsi } from './momentum.ts'

const rsiOf = (closes: readonly number[], interval?: number) => lastValueFrom(from(closes).pipe(rsi(interval), toArray()))
const macdOf = (closes: readonly number[], options?: MacdOptions) => {
  const rounded = map(({ macd, signal, histogram }: { macd: number; signal: number; histogram: number }) =>
    [macd, signal, histogram].map((value) => Number(value.toFixed(3))),
  )
  return lastValueFrom(from(closes).pipe(macd(options), rounded, toArray()))
}

describe('rsi', () => {
  test('gives the figures of Tulip Indicators, and of TA-Lib', async () => {
    const figures = [72.034, 64.927, 75.936, 79.796, 74.713, 83.033, 87.478, 88.755, 91.483, 78.498]
    expect((await rsiOf(CLOSES, 5)).map((value) => Number(value.toFixed(3)))).toEqual(figures)
  })

  test('of 14 changes, if not told otherwise, gives the figures of TA-Lib for the example of ChartSchool', async () => {
    // https://chartschool.stockcharts.com/table-of-contents/technical-indicators-and-overlays/technical-indicators/relative-strength-index-rsi
    const closes = [
      ...[44.3389, 44.0902, 44.1497, 43.6124, 44.3278, 44.8264, 45.0955, 45.4245, 45.8433, 46.0826, 45.8931, 46.0328, 45.614],
      ...[46.282, 46.282, 46.0028, 46.0328, 46.4116, 46.2222, 45.6439],
    ]
    expect((await rsiOf(closes)).map((value) => value.toFixed(2))).toEqual(['70.53', '66.32', '66.55', '69.41', '66.36', '57.97'])
  })

  test('is 100 where nothing fell, 0 where all did, and never NaN where nothing moved', async () => {
    expect(await rsiOf([1, 2, 3, 4], 2)).toEqual([100, 100])
    expect(await rsiOf([4, 3, 2, 1], 2)).toEqual([0, 0])
    expect(await rsiOf([4, 4, 4, 4], 2)).toEqual([100, 100])
  })
})

describe('macd', () => {
  test('gives the figures of Tulip Indicators, from where its signal line has seen nine values', async () => {
    expect(await macdOf(CLOSES, { fast: 2, slow: 5, signal: 9 })).toEqual([
      [0.891, 0.656, 0.235],
      [0.979, 0.721, 0.258],
      [0.621, 0.701, -0.08],
    ])
  })

  test('is 12, 26 and 9, if not told otherwise: first out at the 34th price', async () => {
    const line = (length: number) => Array.from({ length }, (_, index) => 100 + index)
    expect(await macdOf(line(33))).toEqual([])
    expect(await macdOf(line(34))).toEqual(await macdOf(line(34), { fast: 12, slow: 26, signal: 9 }))
    expect(await macdOf(line(34))).toHaveLength(1)
  })
})

test.each<readonly [name: string, create: () => unknown, message: string]>([
  ['rsi of one price', () => rsi(1), 'rsi: interval = 1: a whole number from 2 on'],
  ['macd without a fast average', () => macd({ fast: 0 }), 'macd: fast = 0: a whole number from 1 on'],
  ['macd with half a signal', () => macd({ signal: 0.5 }), 'macd: signal = 0.5'],
  ['macd that is always 0', () => macd({ fast: 26 }), 'macd: fast = 26: a number below slow = 26'],
])('%s is refused', (_name, create, message) => {
  expect(create).toThrow(expect.objectContaining({ code: 'INDICATOR_INVALID' }))
  expect(create).toThrow(message)
})
