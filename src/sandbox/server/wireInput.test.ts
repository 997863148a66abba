import superjson from 'superjson'
import { describe, expect, test } from 'vitest'
import { readWireInput } from './wireInput.ts'

const nested = (levels: number): unknown => (levels === 0 ? 1 : [nested(levels - 1)])

describe('readWireInput', () => {
  test.each([
    ['an object', { json: { contestId: 'x' } }, { contestId: 'x' }],
    ['null', { json: null }, null],
    ['nothing', {}, null],
  ])('reads %s', (_name, wire, input) => {
    expect(readWireInput(wire)).toEqual(input)
  })

  test('puts what superjson has types for back into text', () => {
    const sent = superjson.serialize({ stake: 2n ** 70n, at: new Date(0), list: [1n], waitSec: undefined, none: null })
    expect(readWireInput(sent)).toEqual({ stake: '1180591620717411303424', at: '1970-01-01T00:00:00.000Z', list: ['1'], none: null })
    expect(readWireInput(superjson.serialize(undefined))).toBeUndefined()
  })

  test.each([
    ['null', null],
    ['text', 'x'],
    ['a list', [{ json: 1 }]],
  ])('refuses %s in place of the object', (_name, wire) => {
    expect(() => readWireInput(wire)).toThrow(/form \{"json": <input>\}/)
  })

  test('refuses depth before anything walks through it', () => {
    expect(readWireInput({ json: nested(15) })).toEqual(nested(15))
    expect(() => readWireInput({ json: nested(17) })).toThrow(/over 16 levels/)
    expect(() => readWireInput({ json: JSON.parse('['.repeat(30_000) + ']'.repeat(30_000)) })).toThrow(/over 16 levels/)
    expect(() => readWireInput({ json: 1, meta: { values: nested(17) } })).toThrow(/over 16 levels/)
  })

  test.each([
    ['a set', superjson.serialize({ list: new Set([1]) })],
    ['an expression', superjson.serialize({ list: /x/ })],
    ['a class nobody registered', { json: { a: {} }, meta: { values: { a: [['class', 'Dog']] } } }],
    ['a field that is the prototype', JSON.parse('{"json":{"a":{"__proto__":{"x":1}}}}')],
    ['a path to the prototype', { json: {}, meta: { values: { '__proto__.x': ['bigint'] } } }],
    ['meta that is text', { json: { a: 'x' }, meta: { values: { a: ['bigint'] } } }],
  ])('refuses %s', (_name, wire) => {
    expect(() => readWireInput(wire)).toThrow(expect.objectContaining({ code: 'BAD_REQUEST' }))
    expect(({} as Record<string, unknown>).x).toBeUndefined()
  })
})
