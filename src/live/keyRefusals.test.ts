import { expect, test } from 'vitest'
import { isKeyRefused, KeyRefusals } from './keyRefusals.ts'

test.each([
  [{ code: 'AGENT_KEY_MISSING', status: 400 }, true],
  [{ code: 'HTTP_401', status: 401 }, true],
  [{ code: 'FORBIDDEN', status: 403 }, true],
  // What stands before the service may refuse a single request.
  [{ code: 'HTTP_403', status: 403 }, false],
  [{ code: 'RATE_LIMITED', status: 429 }, false],
  [undefined, false],
])('%j refuses the key: %s', (refusal, expected) => {
  expect(isKeyRefused(refusal)).toBe(expected)
})

test('five in a row count, whatever else comes between them does not', () => {
  const refused = { code: 'HTTP_401', status: 401 }
  for (const other of [undefined, { code: 'HTTP_503', status: 503 }, { code: 'HTTP_403', status: 403 }]) {
    const refusals = new KeyRefusals()
    const all = [refused, refused, refused, refused, other, refused, refused, refused, refused, refused]
    expect(all.map((refusal) => refusals.isFinal(refusal))).toEqual([...Array.from({ length: 9 }, () => false), true])
  }
})
