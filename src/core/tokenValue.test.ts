import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { tokenValue } from './tokenValue.ts'

describe('tokenValue', () => {
  test.each([
    { decimals: 9, units: 2_000_000_000n, price: '187.25', value: 374_500_000n },
    { decimals: 6, units: 1n, price: '1', value: 1n },
    { decimals: 5, units: 100_000n, price: '0.00002', value: 20n },
    { decimals: 9, units: 1n, price: '1', value: 0n },
    { decimals: 9, units: -1n, price: '1', value: -1n },
    { decimals: 6, units: 3n, price: '0.5', value: 1n },
    { decimals: 0, units: 1n, price: '0.000001', value: 1n },
  ])('$units base units of $decimals decimals at $price are $value micro-USDC', ({ decimals, units, price, value }) => {
    expect(tokenValue({ decimals }, units, price)).toBe(value)
  })

  test('two parts are worth at most the whole, and less by at most one micro-USDC', () => {
    fc.assert(
      fc.property(fc.bigInt(0n, 10n ** 20n), fc.bigInt(0n, 10n ** 20n), fc.integer({ min: 0, max: 9 }), (a, b, decimals) => {
        const of = (units: bigint) => tokenValue({ decimals }, units, '3.141592653589793238')
        const lost = of(a + b) - of(a) - of(b)
        expect(lost === 0n || lost === 1n).toBe(true)
      }),
    )
  })
})
