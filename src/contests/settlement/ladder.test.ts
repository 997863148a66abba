import { describe, expect, test } from 'vitest'
import { pointsGained } from './ladder.ts'

describe('pointsGained', () => {
  // By the formula, with K = 32: expected(1200 against 1000) = 1 / (1 + 10^-0.5) = 0.7597.
  test.each([
    [1000, 1000, 'WIN', 16],
    [1000, 1000, 'DRAW', 0],
    [1000, 1000, 'LOSS', -16],
    [1200, 1000, 'WIN', 8],
    [1200, 1000, 'DRAW', -8],
    [1200, 1000, 'LOSS', -24],
    [1000, 1200, 'WIN', 24],
  ] as const)('%i against %i, %s: %i', (points, rival, result, gained) => {
    expect(pointsGained(points, rival, result)).toBe(gained)
  })

  test('a refund is not rated', () => {
    expect(pointsGained(1000, 1200, 'REFUND')).toBeNull()
  })

  test('no gain is 0, not -0, which reads differently', () => {
    expect(Object.is(pointsGained(1001, 1000, 'DRAW'), 0)).toBe(true)
  })
})
