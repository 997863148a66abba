import { describe, expect, test } from 'vitest'
import { type PathStart, pathOf, valueAt } from './path.ts'

const read = (path: string, record: unknown, beside: Omit<PathStart, 'record'> = {}) => valueAt(pathOf(path), { record, ...beside })

describe('a path', () => {
  const state = { turn: { user: 'u1' }, rows: [{ id: 'a', n: 1 }, { id: 'b' }], pool: { m1: { free: true }, m2: {} }, '': 7 }

  test.each([
    ['', state],
    ['turn.user', 'u1'],
    ['turn.nobody', undefined],
    ['turn.user.length', undefined],
    ['rows[].id', ['a', 'b']],
    ['rows[].n', [1, undefined]],
    ['rows[]', state.rows],
    ['turn[].id', [undefined]],
    ['pool[].free', [true, undefined]],
    ['rows[].id.x[]', [undefined, undefined]],
    ['pool.$key', ['m1', 'm2']],
    ['rows.$key', undefined],
    ['toString', undefined],
    ['rows.length', 2],
  ])('%j', (path, value) => {
    expect(read(path, state)).toEqual(value)
  })

  test('goes to the own row, and beside the record', () => {
    expect(read('[own].entry', {}, { own: () => ({ entry: 'e' }) })).toBe('e')
    expect(read('rows[own].entry', { rows: [{ entry: 'a' }, { entry: 'e' }] }, { ownRow: (rows) => (rows as unknown[])[1] })).toBe('e')
    expect(read('[own].entry', {})).toBeUndefined()
    expect(read('^.lockAt', {}, { wrapper: { lockAt: 5 } })).toBe(5)
    expect(read('^.lockAt', { lockAt: 5 })).toBeUndefined()
  })

  test.each([
    ['rows.0.id', 'an index names whoever sits there; say rows and by'],
    ['rows[0].id', 'an index names whoever sits there; say rows and by'],
    ['a..b', 'keys joined by dots'],
    ['a.', 'keys joined by dots'],
    ['rows[mine]', 'keys joined by dots'],
    ['a.^.b', '^ stands at the start'],
    ['a.b.c.d.e.f.g.h.i.j.k.l.m', '12 steps at most'],
  ])('that is none: %j', (path, why) => {
    expect(() => pathOf(path)).toThrow(
      expect.objectContaining({
        code: 'CONFIG_INVALID',
        message: expect.stringContaining(`${JSON.stringify(path)}: `),
      }),
    )
    expect(() => pathOf(path)).toThrow(why)
  })
})
