import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { usdc } from '../core/usdc.ts'
import { confidenceBound, kellyFraction, shareOf } from './betting.ts'

describe('kellyFraction', () => {
  test('is what the paper says', () => {
    // Even money, 55 %: 10 % of the bankroll.
    expect(kellyFraction(0.55, 1)).toBeCloseTo(0.1, 12)
    // A duel with 5 % of the pot taken has to be won 52.6 % of the time.
    expect(kellyFraction(1 / 1.9, 0.9)).toBeCloseTo(0, 12)
    expect(kellyFraction(0.6, 0.9)).toBeCloseTo(0.14 / 0.9, 12)
    expect(kellyFraction(0.4, 0.9)).toBe(0)
    expect(kellyFraction(1, 0.9)).toBeCloseTo(1, 12)
  })

  test('makes the logarithm of the bankroll grow fastest: a little more or less grows slower', () => {
    const growth = (p: number, b: number, f: number) => p * Math.log(1 + b * f) + (1 - p) * Math.log(1 - f)
    fc.assert(
      fc.property(fc.double({ min: 0.55, max: 0.95, noNaN: true }), fc.double({ min: 0.85, max: 3, noNaN: true }), (p, b) => {
        const best = kellyFraction(p, b)
        for (const other of [best * 0.9, best + (1 - best) * 0.1]) expect(growth(p, b, other)).toBeLessThanOrEqual(growth(p, b, best))
      }),
    )
  })

  test.each([
    [-0.1, 1, 'winShare = -0.1: a number from 0 to 1'],
    [1.1, 1, 'winShare = 1.1: a number from 0 to 1'],
    [Number.NaN, 1, 'winShare = NaN: a number from 0 to 1'],
    [0.5, 0, 'odds = 0: a number above 0'],
    [0.5, Number.POSITIVE_INFINITY, 'odds = Infinity: a number above 0'],
  ])('kellyFraction(%d, %d) is refused: %s', (winShare, odds, message) => {
    expect(() => kellyFraction(winShare, odds)).toThrow(expect.objectContaining({ code: 'BET_INVALID', message }))
  })
})

test('the bound narrows with tries, widens with those of others, and has no end for what was never tried', () => {
  expect(confidenceBound(0, 10)).toBe(Number.POSITIVE_INFINITY)
  expect(confidenceBound(8, 100)).toBeCloseTo(Math.sqrt(Math.log(100) / 4), 12)
  expect(confidenceBound(9, 100)).toBeLessThan(confidenceBound(8, 100))
  expect(confidenceBound(8, 101)).toBeGreaterThan(confidenceBound(8, 100))
})

test('a share of an amount is exact to the micro-USDC, by the decimal that the share is written as', () => {
  expect(shareOf(usdc('1000'), 0.0157)).toBe(usdc('15.7'))
  expect(shareOf(usdc('1000'), 1 / 3)).toBe(usdc('333.333333'))
  expect(shareOf(usdc('1000000'), 4e-7)).toBe(usdc('0.4'))
  expect(shareOf(usdc('1000000'), 1.5e-7)).toBe(usdc('0.15'))
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 10_000 }), fc.bigInt({ min: 0n, max: usdc('1000000') }), (parts, amount) => {
      expect(shareOf(amount, parts / 10_000)).toBe((amount * BigInt(parts)) / 10_000n)
    }),
  )
})

test('a share of an amount is never more than that share', () => {
  expect(shareOf(usdc('1000'), 0.02)).toBe(usdc('20'))
  expect(shareOf(usdc('0.000001'), 0.999)).toBe(0n)
  expect(shareOf(usdc('3'), 1)).toBe(usdc('3'))
  expect(() => shareOf(usdc('3'), 1.5)).toThrow('share = 1.5')
})
