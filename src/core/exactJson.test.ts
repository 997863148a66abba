import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { decodeExact, encodeExact } from './exactJson.ts'

const text = fc.oneof(fc.string(), fc.constantFrom('n:1', 's:n:1', 's:', 'n:', 'n', '__proto__'))
const plain = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.bigInt(),
    text,
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(text, tie('value'), { maxKeys: 4, noNullPrototype: true }),
  ),
})).value

describe('exact JSON', () => {
  test('every value reads back as what it was', () => {
    fc.assert(
      fc.property(plain, (value) => {
        expect(decodeExact(encodeExact(value))).toStrictEqual(value)
      }),
    )
  })

  test('keeps what no double can hold', () => {
    expect(encodeExact({ amount: 2n ** 70n })).toBe('{"amount":"n:1180591620717411303424"}')
    expect(decodeExact('{"amount":"n:-1180591620717411303424"}')).toEqual({ amount: -(2n ** 70n) })
  })

  test('text that looks like a bigint stays text', () => {
    expect(decodeExact(encodeExact(['n:5', 5n, 's:x']))).toEqual(['n:5', 5n, 's:x'])
  })
})
