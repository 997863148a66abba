import { expect, test } from 'vitest'
import { formatUnits } from './formatUnits.ts'

test.each([
  [0n, 6, 0, '0'],
  [0n, 6, 2, '0.00'],
  [1n, 9, 0, '0.000000001'],
  [1_500n, 3, 0, '1.5'],
  [-1_500n, 3, 0, '-1.5'],
  [-1n, 6, 2, '-0.000001'],
  [10_000_000n, 6, 0, '10'],
  [10_000_000n, 6, 2, '10.00'],
  [10_100_000n, 6, 2, '10.10'],
  [10_120_300n, 6, 2, '10.1203'],
  [120n, 0, 0, '120'],
  [123_456_789_012_345_678_901n, 18, 0, '123.456789012345678901'],
])('%s base units of %i decimals, at least %i shown: %s', (units, decimals, least, text) => {
  expect(formatUnits(units, decimals, least)).toBe(text)
})
