import { expect, test } from 'vitest'
import { show } from './show.ts'

test.each([
  [5n, '5n'],
  ['5', "'5'"],
  [0.1, '0.1'],
  [undefined, 'undefined'],
  [null, 'null'],
  [{ stake: 5n, modes: ['up_down'] }, "{ stake: 5n, modes: [ 'up_down' ] }"],
])('a value is shown as one writes it', (value, text) => {
  expect(show(value)).toBe(text)
})

test('what is long or deep is cut', () => {
  expect(show('x'.repeat(100_000)).length).toBeLessThan(200)
  expect(show(new Array<number>(100_000).fill(1)).length).toBeLessThan(200)
  expect(show({ a: { b: { c: { d: 1 } } } })).toBe('{ a: { b: { c: [Object] } } }')
})

test('nothing of the value is run', () => {
  const shown = show({
    get secret() {
      throw new Error('it was read')
    },
    [Symbol.for('nodejs.util.inspect.custom')]: () => {
      throw new Error('it was called')
    },
  })
  expect(shown).toContain('secret: [Getter]')
})

test('a value that holds itself is shown', () => {
  const ring: { self?: unknown } = {}
  ring.self = ring
  expect(show(ring)).toContain('[Circular *1]')
})
