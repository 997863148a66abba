import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Json } from './patch.ts'
import { patched } from './patched.ts'
import { patchOf } from './patchOf.ts'

/** As it goes over the wire. */
function sent(before: Json, after: Json): { readonly bytes: number; readonly value: Json } {
  const patch = patchOf(before, after)
  if (patch === undefined) return { bytes: 0, value: before }
  const text = JSON.stringify(patch)
  return { bytes: text.length, value: patched(before, JSON.parse(text)) }
}

const keys = fc.constantFrom('name', 'id', 'a', 'b', '__proto__')
const { value: json } = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom<Json>(null, true, 1, 2, 'x', 'y'),
    fc.array(tie('value'), { maxLength: 6 }),
    fc.dictionary(keys, tie('value'), { maxKeys: 4 }),
  ),
}))

describe('a patch', () => {
  test('makes the one of the other, whatever they are', () => {
    const objects = fc.dictionary(keys, json, { maxKeys: 4 })
    fc.assert(
      fc.property(objects, objects, (before, after) => {
        expect(sent(before, after).value).toEqual(after)
        expect(patchOf(before, structuredClone(before))).toBeUndefined()
      }),
      { numRuns: 2000 },
    )
  })

  test('of a list that turns and repeats makes the list, entry for entry', () => {
    const entries = fc.array(fc.constantFrom<Json>(1, 2, { name: 'a', x: 1 }, { name: 'a', x: 2 }, { name: 'b' }), { maxLength: 12 })
    fc.assert(
      fc.property(entries, entries, (before, after) => {
        expect(sent(before, after).value).toEqual(after)
        expect(patchOf(before, after) === undefined).toBe(JSON.stringify(before) === JSON.stringify(after))
      }),
      { numRuns: 5000 },
    )
  })

  const points = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => ({ at: from + index, profit: `${from}` }))

  test('of a list that grows, or moves on by one, costs no more than what came', () => {
    const long = points(0, 2000)
    expect(sent(long, [...long, { at: 3000, profit: '1' }]).bytes).toBeLessThan(70)
    expect(sent(long, [...long.slice(1), { at: 3000, profit: '1' }]).bytes).toBeLessThan(70)
    expect(sent(long, [{ at: 3000, profit: '1' }, ...long.slice(0, -1)]).bytes).toBeLessThan(70)
  })

  test('of a row that kept its name says the fields that changed, and leaves the others the objects they were', () => {
    const rows = Array.from({ length: 200 }, (_, index) => ({ name: `bot-${index}`, long: 'x'.repeat(500), stream: { readAt: 1 } }))
    const after = rows.map((row, index) => (index % 100 === 7 ? { ...row, stream: { readAt: 2 } } : row))
    const { bytes, value } = sent(rows, after)
    expect(bytes).toBeLessThan(250)
    expect((value as Json[])[8]).toBe(rows[8])
  })
})
