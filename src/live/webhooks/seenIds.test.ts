import { expect, test } from 'vitest'
import { SeenIds } from './seenIds.ts'

test('an id is new once; the oldest is forgotten when there are more than are kept, and only then', () => {
  const seen = new SeenIds(2)
  expect(['a', 'a', 'b', 'a'].map((id) => seen.add(id))).toEqual([true, false, true, false])
  expect(seen.add('c')).toBe(true)
  expect(['b', 'c'].map((id) => seen.add(id))).toEqual([false, false])
  expect(seen.add('a')).toBe(true)
  expect(seen.add('b')).toBe(true)
})
