import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { formatUsdc, microText, usdc } from './usdc.ts'

describe('usdc', () => {
  test.each([
    ['5', 5_000_000n],
    ['0.25', 250_000n],
    ['2.50', 2_500_000n],
    ['0.000001', 1n],
    ['007', 7_000_000n],
    ['0', 0n],
    ['-1.5', -1_500_000n],
    ['999999999999999.999999', 999_999_999_999_999_999_999n],
  ])('%s is %s micro-USDC', (text, micro) => {
    expect(usdc(text)).toBe(micro)
  })

  test.each([
    '',
    ' ',
    '.',
    '.5',
    '5.',
    '+5',
    '--5',
    '5 ',
    ' 5',
    '1,000',
    '1_000',
    '1e3',
    '0x10',
    '5.0000001',
    '١',
    'NaN',
    'Infinity',
    '5n',
    '5\n',
  ])('%j is refused', (text) => {
    expect(() => usdc(text)).toThrow(expect.objectContaining({ code: 'USDC_INVALID', details: { amount: text } }))
  })

  test.each([
    ['5', 5],
    ['0.1', 0.1],
    ['5n', 5n],
    ['undefined', undefined],
    ['null', null],
    ['{}', {}],
    ["[ '5' ]", ['5']],
  ])('%s, which is no text, is refused with what to write instead', (shown, value) => {
    const wrong = `${shown} is not an amount of USDC: write it as text with at most six decimals, such as usdc('2.50')`
    expect(() => usdc(value as never)).toThrow(wrong)
  })

  test('an amount that would not fit a column of the wire is refused', () => {
    expect(() => usdc('1000000000000000')).toThrow(/is not an amount of USDC/)
  })
})

describe('formatUsdc', () => {
  test.each([
    [0n, '0.00'],
    [1n, '0.000001'],
    [10_000n, '0.01'],
    [100_000n, '0.10'],
    [1_000_000n, '1.00'],
    [1_234_500n, '1.2345'],
    [-2_500_000n, '-2.50'],
    [-1n, '-0.000001'],
    [123_456_789_012_345_678n, '123456789012.345678'],
  ])('%s micro-USDC is %s', (micro, text) => {
    expect(formatUsdc(micro)).toBe(text)
  })

  test('what it writes reads back as the same amount, with two to six decimals', () => {
    fc.assert(
      fc.property(fc.bigInt(-(10n ** 21n) + 1n, 10n ** 21n - 1n), (micro) => {
        const text = formatUsdc(micro)
        expect(usdc(text)).toBe(micro)
        expect(text).toMatch(/^-?(0|[1-9]\d*)\.\d{2,6}$/)
      }),
    )
  })
})

test('microText writes any amount as the digits it has', () => {
  const edge = fc.constantFrom(0n, 2n ** 53n - 1n, 2n ** 53n, -(2n ** 53n), 10n ** 21n)
  fc.assert(
    fc.property(
      fc.oneof(fc.bigInt(), fc.bigInt({ min: -(10n ** 12n), max: 10n ** 12n }), edge),
      (amount) => microText(amount) === `${amount}`,
    ),
  )
})
