import fc from 'fast-check'
import { expect, test } from 'vitest'
import { plainJson } from './plainJson.ts'

const throughText = (value: unknown): unknown => {
  const text = JSON.stringify(value, (_key, item: unknown) => (typeof item === 'bigint' ? item.toString() : item))
  return text === undefined ? null : JSON.parse(text)
}

test('is what comes back of a text, whatever there is in it', () => {
  const options = { withBigInt: true, withDate: true, withMap: true, withSet: true, withTypedArray: true, withSparseArray: true } as const
  fc.assert(
    fc.property(fc.anything(options), (value) => {
      expect(plainJson(value)).toStrictEqual(throughText(value))
    }),
  )
})

test.each([
  ['nothing', undefined],
  ['a function in a list', [() => 1, Symbol('no word'), undefined]],
  ['what says itself what it is', { at: new Date(0), own: { toJSON: () => ({ amount: 5n }) } }],
  ['zeros and what is no number', [-0, Number.NaN, Number.POSITIVE_INFINITY]],
  ['a key that is none', JSON.parse('{ "__proto__": { "polluted": true }, "a": 1 }')],
])('%s', (_what, value) => {
  expect(plainJson(value)).toStrictEqual(throughText(value))
})
