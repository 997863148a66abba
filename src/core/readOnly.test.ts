import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { vandalise } from '../../test/support/vandal.ts'
import { originalOf, readOnly, readOnlyCopy } from './readOnly.ts'

describe('readOnly', () => {
  test('freezes plain data where it is, throughout, and shows the same object again', () => {
    const record = { list: [{ a: 1n }], none: null, text: 'x' }
    expect(readOnly(record)).toBe(record)
    expect(readOnly(record)).toBe(record)
    expect([record, record.list, record.list[0]].every((part) => Object.isFrozen(part))).toBe(true)
  })

  test('takes data that holds itself', () => {
    const ring: { self?: unknown; map: Map<string, unknown> } = { map: new Map() }
    ring.self = ring
    ring.map.set('ring', ring)
    const shown = readOnly(ring)
    expect(shown.self).toBe(shown)
    expect(shown.map.get('ring')).toBe(shown)
    const plain: { self?: unknown } = {}
    plain.self = plain
    expect(readOnly(plain)).toBe(plain)
  })

  test('of what cannot be frozen there is a copy: views of a Map and a Set, numbers of a typed array, a Date of its own', () => {
    const given = { map: new Map([['a', { b: 1 }]]), set: new Set([1, 2]), bytes: new Uint8Array([1, 2]), at: new Date(5) }
    const shown = readOnly(given)
    expect(shown).not.toBe(given)
    expect([shown.map.size, shown.map.get('a'), shown.map.has('b'), [...shown.map], [...shown.map.keys()]]).toEqual([
      ...[1, { b: 1 }, false, [['a', { b: 1 }]], ['a']],
    ])
    expect([shown.set.size, shown.set.has(2), [...shown.set]]).toEqual([2, true, [1, 2]])
    expect([...shown.bytes]).toEqual([1, 2])
    for (const write of [() => shown.map.set('a', { b: 2 }), () => shown.map.delete('a'), () => shown.set.clear()])
      expect(write).toThrow(expect.objectContaining({ code: 'STRATEGY_WROTE' }))
    shown.at.setTime(9)
    expect([Object.isFrozen(shown.map.get('a')), Object.isFrozen(given.map.get('a'))]).toEqual([true, false])
    expect(given).toEqual({ map: new Map([['a', { b: 1 }]]), set: new Set([1, 2]), bytes: new Uint8Array([1, 2]), at: new Date(5) })
    expect(originalOf(shown)).toBe(given)
  })

  test('whatever plain data there is, nothing that is done to it changes it', () => {
    fc.assert(
      fc.property(fc.anything({ withMap: true, withSet: true, withBigInt: true, withTypedArray: true }), fc.anything(), (value, junk) => {
        const shown = readOnly(structuredClone(value))
        const before = fc.stringify(shown)
        vandalise([shown], junk)
        expect(fc.stringify(shown)).toBe(before)
      }),
      { numRuns: 300 },
    )
  })

  test('a copy leaves what it was made of as it is', () => {
    const theirs = { list: [{ a: 1 }], made: new (class Other {})() }
    const copy = readOnlyCopy(theirs)
    expect(copy).toEqual(theirs)
    expect([Object.isFrozen(copy.list[0]), Object.isFrozen(theirs.list), copy.made === theirs.made]).toEqual([true, false, true])
  })
})
