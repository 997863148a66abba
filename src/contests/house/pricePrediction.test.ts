import { expect, test } from 'vitest'
import { priceAfter } from './pricePrediction.ts'

test('a prediction goes where the agent expects the price, to ten times or a tenth at most', () => {
  expect(priceAfter(200, 0)).toBe(200)
  expect(priceAfter(200, Math.log(1.1))).toBeCloseTo(220, 9)
  expect(priceAfter(200, -139)).toBeCloseTo(20, 9)
  expect(priceAfter(200, 1e9)).toBeCloseTo(2000, 9)
})
