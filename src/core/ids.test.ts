import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { idSeries, keyedUuid, uuidv7 } from './ids.ts'

const AT_MS = Date.UTC(2025, 6, 21, 12)
const MAX_COUNTER = 2 ** 42 - 1
const time = fc.integer({ min: 0, max: 2 ** 48 - 1 })
const counter = fc.oneof(fc.integer({ min: 0, max: 100 }), fc.integer({ min: 0, max: MAX_COUNTER }))

describe('uuidv7', () => {
  test('is a UUID of version 7 that begins with its time', () => {
    fc.assert(
      fc.property(time, counter, fc.string(), (atMs, count, key) => {
        const id = uuidv7(atMs, count, key)
        expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
        expect(Number.parseInt(id.replace('-', '').slice(0, 12), 16)).toBe(atMs)
      }),
    )
  })

  test('its text sorts by time, then by counter, whatever the key', () => {
    const made = fc.record({ atMs: fc.oneof(time, fc.constant(AT_MS)), count: counter, key: fc.string() })
    fc.assert(
      fc.property(made, made, (a, b) => {
        const order = Math.sign(a.atMs - b.atMs || a.count - b.count)
        fc.pre(order !== 0)
        expect(uuidv7(a.atMs, a.count, a.key) < uuidv7(b.atMs, b.count, b.key)).toBe(order < 0)
      }),
      { numRuns: 500 },
    )
  })

  test.each([2 ** 16, 2 ** 30, 2 ** 32, 2 ** 41])('within a millisecond the counter carries over at %i', (edge) => {
    const ids = [edge - 1, edge, edge + 1].map((count) => uuidv7(AT_MS, count, 'same'))
    expect(ids.toSorted()).toEqual(ids)
    expect(new Set(ids.map((id) => id.slice(0, 28))).size).toBe(3)
  })

  test('depends on its key, and on nothing else besides', () => {
    expect(uuidv7(AT_MS, 1, 'a')).toBe(uuidv7(AT_MS, 1, 'a'))
    expect(uuidv7(AT_MS, 1, 'a')).not.toBe(uuidv7(AT_MS, 1, 'b'))
  })
})

describe('keyedUuid', () => {
  const keys = fc.array(fc.oneof(fc.integer(), fc.string()), { maxLength: 4 })

  test('is a UUID, the same for the same keys', () => {
    fc.assert(
      fc.property(keys, (some) => {
        const id = keyedUuid(...some)
        expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
        expect(keyedUuid(...some)).toBe(id)
      }),
    )
  })

  test('differs for any other keys, their order and type included', () => {
    const ids = [keyedUuid('a', 1), keyedUuid('a', 2), keyedUuid(1, 'a'), keyedUuid('a', '1'), keyedUuid('a1'), keyedUuid('a'), keyedUuid()]
    expect(new Set(ids).size).toBe(ids.length)
  })
})

describe('idSeries', () => {
  test('gives UUIDs of version 8 that depend on keys and number alone', () => {
    fc.assert(
      fc.property(fc.integer(), fc.string(), fc.integer({ min: 0, max: 2 ** 32 - 1 }), (seed, kind, n) => {
        const id = idSeries(seed, kind)(n)
        expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
        expect(idSeries(seed, kind)(n)).toBe(id)
      }),
    )
  })

  test('no two of a series are alike in their first eight digits, nor any of two series', () => {
    const numbers = Array.from({ length: 50_000 }, (_, n) => n)
    const [tickets, contests] = [numbers.map(idSeries(7, 'ticket')), numbers.map(idSeries(7, 'contest'))]
    expect(new Set(tickets.map((id) => id.slice(0, 8))).size).toBe(numbers.length)
    expect(new Set([...tickets, ...contests]).size).toBe(2 * numbers.length)
  })
})
