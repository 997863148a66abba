import { expect, test } from 'vitest'
import { SALT_PATTERN } from '../contract/procedures.ts'
import { freshSalt } from './salt.ts'

test('a salt is of the service’s alphabet, 256 bits long, and never the same', () => {
  const salts = Array.from({ length: 1000 }, freshSalt)
  for (const salt of salts) expect(salt).toMatch(SALT_PATTERN)
  expect(salts.every((salt) => Buffer.from(salt, 'base64url').length === 32)).toBe(true)
  expect(new Set(salts).size).toBe(salts.length)
})
