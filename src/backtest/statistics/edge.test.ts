import { mean } from 'simple-statistics'
import { describe, expect, test } from 'vitest'
import { testContest } from '../../../test/support/backtest/testRun.ts'
import { keyedRandom } from '../../core/random.ts'
import { edgeOf } from './edge.ts'

const SEED = 7

/** Contests of an even pot without a rake: a stake is won or lost, so that the true edge is 2 × winShare - 1. */
function contestsOf(count: number, winShare: number, seed: number) {
  const random = keyedRandom('contests', seed)
  return Array.from({ length: count }, () =>
    random.next() < winShare ? testContest({ profit: 1_000_000n }) : testContest({ result: 'LOSS', profit: -1_000_000n }),
  )
}

describe('edgeOf', () => {
  test('is the same for the same contests and seed, and another interval of the same mean for another seed', () => {
    const contests = Array.from({ length: 83 }, (_, index) => testContest({ profit: BigInt(index ** 3 - 200_000) }))
    const edge = edgeOf(contests, SEED)
    expect(edgeOf(contests, SEED)).toEqual(edge)
    const other = edgeOf(contests, SEED + 1)
    expect({ ...other, low: 0, high: 0 }).toEqual({ ...edge, low: 0, high: 0 })
    expect([other.low, other.high]).not.toEqual([edge.low, edge.high])
  })

  test('holds the true edge in about 95 of 100 samples', () => {
    const SAMPLES = 200
    const held = Array.from({ length: SAMPLES }, (_, sample) => {
      const { low, high } = edgeOf(contestsOf(100, 0.55, sample), SEED)
      return low !== null && high !== null && low <= 0.1 && high >= 0.1
    })
    const share = held.filter(Boolean).length / SAMPLES
    // Three standard errors of a share of 0.95 in 200.
    expect(share).toBeGreaterThan(0.9)
    expect(share).toBeLessThan(1)
  })

  test('is as wide as the normal approximation says of many contests', () => {
    const contests = contestsOf(2000, 0.5, 3)
    const { low, high, mean: edge } = edgeOf(contests, SEED)
    const width = (high ?? 0) - (low ?? 0)
    expect(width / ((2 * 1.96) / Math.sqrt(2000))).toBeCloseTo(1, 1)
    expect(mean([low ?? 0, high ?? 0])).toBeCloseTo(edge ?? 0, 2)
  })

  test('has no interval below ten observations, refunds not counted', () => {
    const nine = [...contestsOf(9, 0.5, 1), testContest({ result: 'REFUND', profit: 0n }), testContest({ result: null, profit: 0n })]
    expect(edgeOf(nine, SEED)).toEqual({ observations: 9, mean: expect.any(Number), low: null, high: null, contestsNeeded: null })
    expect(edgeOf(contestsOf(10, 0.5, 1), SEED).low).not.toBeNull()
    expect(edgeOf([], SEED)).toEqual({ observations: 0, mean: null, low: null, high: null, contestsNeeded: null })
  })

  test('does not say how many contests would tell no edge, or one that never varied, from zero', () => {
    const even = Array.from({ length: 20 }, (_, index) => testContest({ profit: index % 2 === 0 ? 1_000_000n : -1_000_000n }))
    expect(edgeOf(even, SEED)).toMatchObject({ mean: 0, contestsNeeded: null })
    // Equal returns resample to themselves: an interval of no width would claim what twenty wins of twenty do not show.
    expect(edgeOf(Array(20).fill(testContest()), SEED)).toMatchObject({ mean: 0.9, low: null, high: null, contestsNeeded: null })
    // 9 × 0.9 - 8 × 1 - 2 × 0.05 is 0, and as floats nearly so.
    const returns = [...Array(9).fill(900_000n), ...Array(8).fill(-1_000_000n), ...Array(2).fill(-50_000n)]
    expect(
      edgeOf(
        returns.map((profit) => testContest({ profit })),
        SEED,
      ).contestsNeeded,
    ).toBeNull()
  })
})
