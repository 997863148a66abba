import { describe, expect, test } from 'vitest'
import { compareRationals, rational, rationalText, sumRationals } from './rational.ts'

describe('rational', () => {
  test('fractions a float cannot tell apart are told apart', () => {
    const big = 10n ** 40n
    expect(compareRationals(rational(big, 3n), rational(big + 1n, 3n))).toBe(-1)
    expect(compareRationals(rational(2n, 6n), rational(1n, 3n))).toBe(0)
    expect(compareRationals(rational(-1n, 3n), rational(-1n, 2n))).toBe(1)
  })

  test('a sum is exact', () => {
    const sum = sumRationals([rational(1n, 3n), rational(1n, 6n), rational(-1n, 2n)])
    expect(compareRationals(sum, rational(0n, 1n))).toBe(0)
  })

  test.each([
    [rational(1n, 40n), '0.025'],
    [rational(-9n, 400n), '-0.0225'],
    [rational(5n, 1n), '5'],
    [rational(0n, 7n), '0'],
    [rational(1n, 3n), '0.333333333333333333'],
    [rational(-1n, 10n ** 30n), '0'],
  ])('%o reads %s', (value, text) => {
    expect(rationalText(value)).toBe(text)
  })
})
