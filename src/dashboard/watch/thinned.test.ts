import { describe, expect, test } from 'vitest'
import { Ring } from './ring.ts'
import { Thinned, thin } from './thinned.ts'

describe('a series that is thinned', () => {
  test('keeps all while they are few', () => {
    const series = new Thinned<number>(10)
    for (let point = 1; point <= 10; point++) series.push(point)
    expect(series.points).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
  })

  test('never shows more than its size and one, in order, the first and the newest among them', () => {
    const series = new Thinned<number>(10)
    for (let point = 1; point <= 10_000; point++) {
      series.push(point)
      const { points, newest } = series
      if (points.length > 11 || points[0] !== 1 || points.at(-1) !== point || newest !== point)
        expect.fail(`after ${point}: ${points.join()}, newest ${newest}`)
    }
    expect(series.points).toEqual(series.points.toSorted((a, b) => a - b))
  })

  test('the newest can be put better', () => {
    const series = new Thinned<number>(10)
    series.push(1)
    series.replaceNewest(2)
    expect(series.points).toEqual([2])
  })
})

test.each([
  [3, [1, 5, 9]],
  [9, [1, 2, 3, 4, 5, 6, 7, 8, 9]],
  [2, [1, 9]],
])('nine points as %i, evenly chosen', (most, expected) => {
  expect(thin([1, 2, 3, 4, 5, 6, 7, 8, 9], most)).toEqual(expected)
})

test('a ring keeps the newest', () => {
  const ring = new Ring<number>(3)
  for (let item = 1; item <= 100; item++) ring.push(item)
  expect(ring.items).toEqual([98, 99, 100])
})
