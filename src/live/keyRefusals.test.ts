import { expect, test } from 'vitest'
import { KeyRefusals } from './keyRefusals.ts'

test('five in a row count, whatever else comes between them does not', () => {
  const refused = { code: 'HTTP_401', status: 401 }
  for (const other of [undefined, { code: 'HTTP_503', status: 503 }, { code: 'HTTP_403', status: 403 }]) {
    const refusals = new KeyRefusals()
    const all = [refused, refused, refused, refused, other, refused, refused, refused, refused, refused]
    expect(all.map((refusal) => refusals.isFinal(refusal))).toEqual([...Array.from({ length: 9 }, () => false), true])
  }
})
