import { describe, expect, test } from 'vitest'
import { FIELD_PATHS, type FieldName, findField } from './paths.ts'

const text = (value: unknown) => (typeof value === 'string' ? value : undefined)
/** `{ a: { b: value } }` for the path `a.b`. */
const placed = (path: string, value: unknown): unknown => path.split('.').reduceRight<unknown>((inner, key) => ({ [key]: inner }), value)
const everyPath = Object.entries(FIELD_PATHS).flatMap(([field, paths]) => paths.map((path) => [field as FieldName, path] as const))

describe('findField', () => {
  test.each(everyPath)('finds %s at %s', (field, path) => {
    expect(findField(placed(path, 'here'), field, text)).toEqual({ found: true, value: 'here' })
  })

  test('the entry id, whose place the specification does not show, is found in five', () => {
    expect(FIELD_PATHS.entryId).toEqual(['entryId', 'you.entryId', 'entry.id', 'entry.entryId', 'me.entryId'])
  })

  test('takes the first path that has one', () => {
    expect(findField({ entryId: 'first', you: { entryId: 'second' } }, 'entryId', text)).toEqual({ found: true, value: 'first' })
  })

  test('goes on where what stands there is not one', () => {
    for (const odd of [null, 5, { id: 'x' }, undefined]) {
      expect(findField({ entryId: odd, you: { entryId: 'second' } }, 'entryId', text)).toEqual({ found: true, value: 'second' })
    }
  })

  test('tries the paths of the config before its own, in their order', () => {
    const record = { entryId: 'built in', seat: { id: 'configured', other: 'later' } }
    expect(findField(record, 'entryId', text, { entryId: ['seat.none', 'seat.id', 'seat.other'] })).toEqual({
      found: true,
      value: 'configured',
    })
    expect(findField(record, 'entryId', text, { entryId: ['seat.none'] })).toEqual({ found: true, value: 'built in' })
    expect(findField(record, 'entryId', text, { phase: ['seat.id'] })).toEqual({ found: true, value: 'built in' })
  })

  test('goes into lists by number', () => {
    expect(findField({ seats: [{ id: 'a' }, { id: 'b' }] }, 'entryId', text, { entryId: ['seats.1.id'] })).toEqual({
      found: true,
      value: 'b',
    })
  })

  test('a value that is false, 0 or null is found where the reader takes it', () => {
    const any = (value: unknown) => value
    for (const value of [false, 0, null, '']) expect(findField({ committed: value }, 'committed', any)).toEqual({ found: true, value })
  })

  test('what is nowhere is a FIELD_MISSING that names every path looked at and where to add one', () => {
    const looked = findField({ entries: [] }, 'entryId', text, { entryId: ['seat.id'] })
    expect(looked).toEqual({
      found: false,
      error: expect.objectContaining({
        code: 'FIELD_MISSING',
        details: { field: 'entryId', paths: ['seat.id', 'entryId', 'you.entryId', 'entry.id', 'entry.entryId', 'me.entryId'] },
      }),
    })
    const message = looked.found ? '' : looked.error.message
    expect(message).toContain(
      'no entryId, neither where the mapping has it nor at seat.id, entryId, you.entryId, entry.id, entry.entryId, me.entryId',
    )
    expect(message).toContain('service.shapes.pieces.entryId of the config')
  })

  test.each([undefined, null, 'text', 5, [], [null], { you: null }, { you: 'x' }])('%j has none, and is no error of ours', (record) => {
    expect(findField(record, 'entryId', text).found).toBe(false)
  })

  test('what every object inherits is no field', () => {
    expect(findField({}, 'entryId', (value) => value, { entryId: ['constructor', 'toString.name', '__proto__'] }).found).toBe(false)
  })
})
