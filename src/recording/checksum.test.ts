import { crc32 } from 'node:zlib'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { checksumAfter, checksumWithin } from './checksum.ts'

test('the checksum of a body that stands among others is that of the body cut out', () => {
  const placed = fc.tuple(fc.uint8Array({ maxLength: 100 }), fc.nat(100), fc.nat(100), fc.integer({ min: 0, max: 0xffffffff }))
  fc.assert(
    fc.property(placed, ([bytes, one, other, previous]) => {
      const [start, end] = [Math.min(one, other, bytes.length), Math.min(Math.max(one, other), bytes.length)]
      expect(checksumWithin(previous, bytes, start, end)).toBe(checksumAfter(previous, bytes.subarray(start, end)))
    }),
    { numRuns: 2000 },
  )
})

test('it is the CRC-32 of zlib', () => {
  const bytes = Buffer.from('123456789')
  expect([checksumWithin(0, bytes, 0, bytes.length), crc32(bytes)]).toEqual([0xcbf43926, 0xcbf43926])
})
