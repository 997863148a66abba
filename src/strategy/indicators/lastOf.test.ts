import { expect, test } from 'vitest'
import { sma } from './averages.ts'
import { lastOf } from './lastOf.ts'

test('says what the indicator says last, and nothing before it has seen enough', () => {
  expect(lastOf([1, 2, 4], sma(2))).toBe(3)
  expect(lastOf([1], sma(2))).toBeUndefined()
  expect(lastOf([], sma(1))).toBeUndefined()
})
