import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { canonicalPrice, isPriceAboveZero, isZeroPrice, priceFromNumber, scalePrice, unscalePrice } from './price.ts'

const priceText = fc
  .tuple(fc.integer({ min: 0, max: 3 }), fc.bigInt(0n, 10n ** 26n), fc.option(fc.stringMatching(/^\d{1,18}$/), { nil: undefined }))
  .map(([zeros, whole, fraction]) => `${'0'.repeat(zeros)}${whole}${fraction === undefined ? '' : `.${fraction}`}`)

describe('canonicalPrice', () => {
  test.each([
    ['187.25', '187.25'],
    ['0187.2500', '187.25'],
    ['187.0', '187'],
    ['187.000', '187'],
    ['100', '100'],
    ['0100.010', '100.01'],
    ['0', '0'],
    ['000', '0'],
    ['0.00', '0'],
    ['00.5', '0.5'],
    ['0.000000000000000001', '0.000000000000000001'],
    [`${'9'.repeat(30)}.5`, `${'9'.repeat(30)}.5`],
  ])('%s is %s', (text, canonical) => {
    expect(canonicalPrice(text)).toBe(canonical)
  })

  test.each([
    '',
    '.',
    '.5',
    '5.',
    '-1',
    '+1',
    ' 1',
    '1 ',
    '1\n',
    '1e3',
    '1,5',
    '1.2.3',
    '0x1',
    'NaN',
    'Infinity',
    '١',
    '0.0000000000000000001',
    '1'.repeat(31),
  ])('%j is refused', (text) => {
    expect(() => canonicalPrice(text)).toThrow(expect.objectContaining({ code: 'PRICE_INVALID', details: { price: text } }))
  })

  test.each([
    ['187.25', 187.25],
    ['5n', 5n],
    ['undefined', undefined],
    ['null', null],
  ])('%s, which is no text, is refused by its value', (shown, value) => {
    expect(() => canonicalPrice(value as never)).toThrow(`${shown} is not a price: it must be decimal text`)
  })

  test('has no zeros to spare, and says the same price', () => {
    fc.assert(
      fc.property(priceText, (text) => {
        const canonical = canonicalPrice(text)
        expect(canonical).toMatch(/^(0|[1-9]\d*)(\.\d*[1-9])?$/)
        expect(canonicalPrice(canonical)).toBe(canonical)
        expect(scalePrice(canonical)).toBe(scalePrice(text))
      }),
    )
  })
})

describe('scalePrice', () => {
  test('counts in 10⁻¹⁸ USD', () => {
    expect(scalePrice('0187.2500')).toBe(187_250_000_000_000_000_000n)
    expect(scalePrice('0.000000000000000001')).toBe(1n)
    expect(scalePrice('0')).toBe(0n)
  })

  test('tells apart what no double can', () => {
    expect(Number('9007199254740992.1')).toBe(Number('9007199254740992'))
    expect(scalePrice('9007199254740992.1') - scalePrice('9007199254740992')).toBe(10n ** 17n)
  })

  test('unscalePrice leads back, to the canonical form', () => {
    fc.assert(
      fc.property(priceText, (text) => {
        expect(unscalePrice(scalePrice(text))).toBe(canonicalPrice(text))
      }),
    )
    expect([0n, 1n, 10n ** 17n, 10n ** 18n].map(unscalePrice)).toEqual(['0', '0.000000000000000001', '0.1', '1'])
    expect(() => unscalePrice(-1n)).toThrow(expect.objectContaining({ code: 'PRICE_INVALID' }))
  })
})

describe('priceFromNumber', () => {
  test.each([
    [187.25, '187.25'],
    [0.1 + 0.2, '0.3'],
    [1 / 3, '0.333333333'],
    [2 / 3, '0.666666667'],
    [1234.567890123, '1234.56789'],
    [9.9999999999, '10'],
    [0.00002345678912345, '0.0000234567891'],
    [1000, '1000'],
    [1e-18, '0.000000000000000001'],
  ])('%s is %s, with nine significant digits', (value, price) => {
    expect(priceFromNumber(value)).toBe(price)
  })

  test('takes another number of digits, and never cuts before the point', () => {
    expect(priceFromNumber(187.256, 4)).toBe('187.3')
    expect(priceFromNumber(187_256, 4)).toBe('187256')
  })

  test.each([0, -0, -1, Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY])('%s is no price', (value) => {
    expect(() => priceFromNumber(value)).toThrow(expect.objectContaining({ code: 'PRICE_INVALID', details: { value } }))
  })

  test('too small or too large to be written as a price is refused, not rounded to 0', () => {
    for (const value of [9.9e-19, 1e21]) {
      expect(() => priceFromNumber(value)).toThrow(`${value} is not a price: it must be a number from 1e-18 to below 1e21`)
    }
    expect(priceFromNumber(9.99e20)).toBe('999000000000000000000')
  })

  test('is canonical and near, to nine digits', () => {
    fc.assert(
      fc.property(fc.double({ min: 1e-9, max: 1e15, noNaN: true }), (value) => {
        const price = priceFromNumber(value)
        expect(canonicalPrice(price)).toBe(price)
        expect(Math.abs(Number(price) / value - 1)).toBeLessThanOrEqual(1e-8)
      }),
    )
  })
})

describe('isPriceAboveZero', () => {
  test('holds for every price that is not zero', () => {
    fc.assert(
      fc.property(priceText, (text) => {
        expect(isPriceAboveZero(text)).toBe(scalePrice(text) > 0n)
      }),
    )
  })

  test.each([['-1'], ['NaN'], ['1e5'], [''], [' 1'], ['1,5'], [187.25], [null], [['1']]])('and for nothing else: %j', (value) => {
    expect(isPriceAboveZero(value)).toBe(false)
  })
})

describe('isZeroPrice', () => {
  test('says what the scaled price says', () => {
    fc.assert(
      fc.property(fc.oneof(priceText, fc.constantFrom('0', '00', '0.0', '0.000000000000000001', '10', '0.10')), (text) => {
        expect(isZeroPrice(text)).toBe(scalePrice(text) === 0n)
      }),
    )
  })

  test('is not asked of what is no price', () => {
    expect(() => isZeroPrice('-0')).toThrow('not a price')
  })
})
