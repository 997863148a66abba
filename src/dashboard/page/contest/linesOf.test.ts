import { expect, test } from 'vitest'
import { linesOf } from './linesOf.ts'
import { priceAt } from './priceAt.ts'
import { sinceText } from './sinceText.ts'

const points = [
  { at: 1000, price: '90' },
  { at: 2000, price: '100' },
  { at: 5000, price: '103' },
]

test('prices are drawn as the change from the price at the start, and nothing where none is known', () => {
  const [line] = linesOf({ m: { symbol: 'SOL', startPrice: '100', points } })
  expect(line).toMatchObject({ mint: 'm', symbol: 'SOL', at: [1, 2, 5], prices: ['90', '100', '103'] })
  expect(line?.change.map((change) => change.toFixed(3))).toEqual(['-0.100', '0.000', '0.030'])
  expect(linesOf({ m: { symbol: 'SOL', startPrice: undefined, points: [] } })).toEqual([])
})

test('the price of a moment is the last one before it', () => {
  expect([999, 1000, 4999, 5000].map((at) => priceAt(points, at))).toEqual([undefined, '90', '100', '103'])
})

test('times are from the start, on either side of it', () => {
  expect([sinceText(65_000, 0), sinceText(0, 8000), sinceText(8000, 8000)]).toEqual(['1:05', '−0:08', '0:00'])
})
