import { expect, test } from 'vitest'
import { commitmentOf } from '../contract/commitment.ts'
import { SALT_PATTERN } from '../contract/procedures.ts'
import { seal } from './seal.ts'

test('a salt is of the service’s alphabet, 256 bits long, never the same, and the commitment is made with it', () => {
  const seals = Array.from({ length: 1000 }, () => seal('187.25', 'entry'))
  for (const { salt, commitment } of seals) {
    expect(salt).toMatch(SALT_PATTERN)
    expect(commitment).toBe(commitmentOf('187.25', salt, 'entry'))
  }
  expect(seals.every(({ salt }) => Buffer.from(salt, 'base64url').length === 32)).toBe(true)
  expect(new Set(seals.map(({ salt }) => salt)).size).toBe(seals.length)
})
