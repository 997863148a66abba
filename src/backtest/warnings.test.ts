import { describe, expect, test } from 'vitest'
import { testContest } from './testRun.ts'
import { type WarningsOptions, warningsOf } from './warnings.ts'

const reference = { kind: 'AGENT', source: 'reference', side: null, score: null, moves: [] } as const
const short = testContest({ durationSec: 22, others: [reference] })
const long = testContest({ durationSec: 60, others: [reference] })
const recorded = testContest({ durationSec: 22, others: [{ ...reference, source: 'recorded' }] })
const cancelled = testContest({ durationSec: 22, result: null })

const codes = (options: Partial<WarningsOptions>) =>
  warningsOf({ contests: [], refused: {}, maxPriceAgeMs: 15_000, stepMs: 60_000, ...options }).map(({ code }) => code)

describe('a result is to be taken with care', () => {
  test('where swaps were refused because prices come more seldom than the guard allows', () => {
    expect(codes({ refused: { PRICE_STALE: 3 } })).toEqual(['SWAPS_ON_OLD_PRICES'])
    expect(codes({ refused: { PRICE_STALE: 3 }, maxPriceAgeMs: 60_000 })).toEqual([])
    expect(codes({ refused: { DAILY_LOSS_OWN: 3 } })).toEqual([])
    const [warning] = warningsOf({ contests: [], refused: { PRICE_STALE: 1792 }, maxPriceAgeMs: 15_000, stepMs: 60_000 })
    expect(warning?.message).toContain('1,792 swaps were refused for old prices: the log has one every 60 s, guard.maxPriceAgeMs is 15 s')
  })

  test('where contests that nobody recorded lay between two prices', () => {
    expect(codes({ contests: [long, recorded, cancelled] })).toEqual([])
    expect(codes({ contests: [short], stepMs: 22_000 })).toEqual([])
    const [warning] = warningsOf({ contests: [short, long, recorded, cancelled], refused: {}, maxPriceAgeMs: 15_000, stepMs: 60_000 })
    expect(warning?.code).toBe('CONTESTS_BETWEEN_PRICES')
    expect(warning?.message).toContain('1 of 3 contests were shorter than the 60 s between two prices')
  })
})
