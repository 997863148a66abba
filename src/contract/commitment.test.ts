import { describe, expect, test } from 'vitest'
import { commitmentOf } from './commitment.ts'
import recorded from './commitment.vectors.json' with { type: 'json' }

const SALT = 'abcdefghijklmnop'
const ENTRY = '0198b5a0-7c1e-7a2b-8c3d-4e5f60718293'

describe('commitmentOf', () => {
  // Computed by Python's hashlib and decimal; the command stands in the file beside them.
  test.each(recorded.vectors)('$name: $price', ({ price, salt, entryId, commitment }) => {
    expect(commitmentOf(price, salt, entryId)).toBe(commitment)
  })

  test('hashes the canonical price: however it is written, the commitment is the same', () => {
    const commitment = commitmentOf('187.25', SALT, ENTRY)
    for (const price of ['0187.2500', '187.250', '00000187.25']) expect(commitmentOf(price, SALT, ENTRY)).toBe(commitment)
  })

  test('depends on each of its three parts, and on where one ends', () => {
    const some = [
      commitmentOf('187.25', SALT, ENTRY),
      commitmentOf('187.26', SALT, ENTRY),
      commitmentOf('187.25', `${SALT}q`, ENTRY),
      commitmentOf('187.25', SALT, `${ENTRY}0`),
    ]
    expect(new Set(some).size).toBe(some.length)
  })

  test.each([
    ['none', ''],
    ['15 characters', 'a'.repeat(15)],
    ['129 characters', 'a'.repeat(129)],
    ['a space', 'abcdefgh ijklmnop'],
    ['a colon', 'abcdefgh:ijklmnop'],
    ['base64 beyond the alphabet', 'abcdefgh+ijklmno='],
    ['a letter with an accent', 'abcdefghijklmnoé'],
    ['a line end', 'abcdefghijklmnop\n'],
  ])('a salt of %s is refused, and not shown', (_name, salt) => {
    const thrown = expect.objectContaining({
      code: 'SALT_INVALID',
      message: `a salt is 16 to 128 characters of A-Z a-z 0-9 _ -, this one has ${salt.length}`,
      details: {},
    })
    expect(() => commitmentOf('187.25', salt, ENTRY)).toThrow(thrown)
  })

  test.each(['', '1e3', '-1', '.5', 'abc'])('%j is no price to commit to', (price) => {
    expect(() => commitmentOf(price, SALT, ENTRY)).toThrow(expect.objectContaining({ code: 'PRICE_INVALID' }))
  })
})
