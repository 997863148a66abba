import fc from 'fast-check'
import { expect, test } from 'vitest'
import { runsOf } from '../../../test/support/suite/cases.ts'
import { keyedRandom } from '../../core/random.ts'
import { latinHypercube } from './latinHypercube.ts'

test('has one point in each part of each dimension', () => {
  fc.assert(
    fc.property(fc.integer(), fc.integer({ min: 1, max: 80 }), fc.integer({ min: 1, max: 8 }), (seed, count, dimensions) => {
      const points = latinHypercube(keyedRandom(seed), count, dimensions)
      expect(points).toHaveLength(count)
      for (let dimension = 0; dimension < dimensions; dimension++) {
        const parts = points.map((point) => Math.floor((point[dimension] ?? -1) * count)).toSorted((a, b) => a - b)
        expect(parts).toEqual(Array.from({ length: count }, (_, part) => part))
      }
    }),
    { numRuns: runsOf(200) },
  )
})

test('dimensions are shuffled each for itself', () => {
  const points = latinHypercube(keyedRandom(1), 40, 2)
  expect(points.filter(([x = 0, y = 0]) => Math.floor(x * 40) === Math.floor(y * 40)).length).toBeLessThan(8)
})
