import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Fingerprint } from './fingerprint.ts'

type Value = { readonly number: number } | { readonly amount: bigint } | { readonly text: string | undefined } | { readonly name: string }

function hexOf(values: readonly Value[]): string {
  const fingerprint = new Fingerprint()
  for (const value of values) {
    if ('number' in value) fingerprint.number(value.number)
    else if ('amount' in value) fingerprint.amount(value.amount)
    else if ('text' in value) fingerprint.text(value.text)
    else fingerprint.name(value.name)
  }
  return fingerprint.hex()
}

test('sequences that differ in a value, its kind, its place or how texts are parted have fingerprints of their own', () => {
  const sequences: readonly (readonly Value[])[] = [
    [],
    [{ number: 1 }],
    [{ amount: 1n }],
    [{ number: 1 }, { number: 1 }],
    [{ number: 1 }, { amount: 1n }],
    [{ amount: 1n }, { number: 1 }],
    ...[-1n, 2n ** 53n - 1n, 2n ** 53n, 2n ** 53n + 1n, 2n ** 64n].map((amount) => [{ amount }]),
    ...['', 'a', 'b', 'ab', 'é', '\u0100', '1', 'x'.repeat(1024), 'x'.repeat(1025), 'x'.repeat(20_000)].map((text) => [{ text }]),
    [{ text: undefined }],
    // Without lengths these two would be the same bytes.
    [{ text: '\0' }],
    [{ text: '' }, { text: undefined }, { text: undefined }],
    [{ text: 'a' }, { text: 'b' }],
    [{ name: 'a' }],
    [{ name: 'a' }, { name: 'a' }],
    [{ name: 'a' }, { name: 'b' }],
    [{ name: 'a' }, { name: 'b' }, { name: 'a' }],
    [{ name: 'a' }, { name: 'b' }, { name: 'b' }],
  ]
  expect(new Set(sequences.map(hexOf)).size).toBe(sequences.length)
})

const value = fc.oneof(
  fc.record({ number: fc.double() }),
  fc.record({ amount: fc.bigInt() }),
  fc.record({ text: fc.string({ unit: 'binary', maxLength: 3000 }) }),
  fc.record({ name: fc.string({ maxLength: 3 }) }),
)

test('is the same for the same values, many or few, and another once one more has come', () => {
  fc.assert(
    fc.property(fc.array(value, { maxLength: 60 }), value, (values, last) => {
      expect(hexOf(values)).toBe(hexOf(values))
      expect(hexOf([...values, last])).not.toBe(hexOf(values))
    }),
  )
})
