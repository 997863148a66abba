import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isoOf } from './turn.ts'

test('isoOf writes what Date writes, whatever came before', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: -3e12, max: 6e12 }), { minLength: 1 }), fc.nat(120_000), (times, stepMs) => {
      for (const ms of times) for (const at of [ms, ms + stepMs, ms - 1]) expect(isoOf(at)).toBe(new Date(at).toISOString())
    }),
  )
})
