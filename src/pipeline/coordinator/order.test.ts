import { expect, test } from 'vitest'
import { inOrder } from './order.ts'

const named = (name: string, ...after: string[]) => ({ name, after })
const order = (...parts: { readonly name: string; readonly after: readonly string[] }[]) => inOrder(parts).map(({ name }) => name)

test('each part comes after those that it names, and otherwise as it stands in the list', () => {
  expect(order(named('c', 'a'), named('b'), named('a'), named('d', 'c', 'b'))).toEqual(['a', 'c', 'b', 'd'])
})

test.each([
  ['a cycle', [named('a', 'b'), named('b', 'c'), named('c', 'a')], 'the parts a after b after c after a: a cycle'],
  ['a name that stands twice', [named('a'), named('a')], 'the part a is declared twice'],
  ['a name that nobody has', [named('a', 'x')], 'the part a comes after x, and there is no such part'],
])('%s ends the start with the part’s name', (_what, parts, message) => {
  expect(() => order(...parts)).toThrow(message)
})
