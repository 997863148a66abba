import { expect, test, vi } from 'vitest'
import { memoize } from './memoize.ts'

const double = vi.fn((value: number) => value * 2)

test('works a result out once, until there are too many to keep', () => {
  const kept = memoize(double, 2)
  expect([kept(1), kept(2), kept(1), kept(0), kept(0)]).toEqual([2, 4, 2, 0, 0])
  expect(double.mock.calls.flat()).toEqual([1, 2, 0])
  expect(kept(1)).toBe(2)
  expect(double.mock.calls.flat()).toEqual([1, 2, 0, 1])
})

test('keeps nothing of work that throws', () => {
  const work = vi.fn((text: string) => JSON.parse(text) as number)
  const kept = memoize(work, 2)
  for (const _ of [1, 2]) expect(() => kept('?')).toThrow(SyntaxError)
  expect(work).toHaveBeenCalledTimes(2)
})
