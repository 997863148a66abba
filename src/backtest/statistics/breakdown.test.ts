import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { testContest, testRun } from '../../../test/support/backtest/testRun.ts'
import { usdc } from '../../core/usdc.ts'
import { type BreakdownBy, breakdown } from './breakdown.ts'
import { edgeOf } from './edge.ts'
import { moneyOf, tallyOf } from './tally.ts'

const SEED = 1
const DIMENSIONS: readonly BreakdownBy[] = ['mode', 'opponents', 'stake', 'duration', 'hour']

describe('breakdown', () => {
  test.each(DIMENSIONS)('by %s adds up to all contests', (by) => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1000 }), fc.integer({ min: 0, max: 60 }), (seed, count) => {
        const contests = testRun({ seed, contests: count }).bots.flatMap((bot) => bot.contests)
        const groups = breakdown(contests, by, SEED)
        const totals = { ...tallyOf(contests), ...moneyOf(contests) }
        for (const field of ['settled', 'won', 'lost', 'drawn', 'refunded', 'cancelled'] as const) {
          expect(groups.reduce((sum, group) => sum + group[field], 0)).toBe(totals[field])
        }
        for (const field of ['staked', 'profit'] as const) {
          expect(groups.reduce((sum, group) => sum + group[field], 0n)).toBe(totals[field])
        }
        expect(new Set(groups.map(({ label }) => label)).size).toBe(groups.length)
      }),
      { numRuns: 25 },
    )
  })

  test('orders stakes, durations and hours by size and names their units', () => {
    const contests = [
      testContest({ stake: usdc('10'), durationSec: 300, endedAt: Date.UTC(2025, 6, 21, 9, 59) }),
      testContest({ stake: usdc('2.50'), durationSec: 60, endedAt: Date.UTC(2025, 6, 22, 23) }),
      testContest({ stake: usdc('10'), durationSec: 1200, endedAt: Date.UTC(2025, 6, 22, 0, 1) }),
    ]
    const labels = (by: BreakdownBy) => breakdown(contests, by, SEED).map(({ label }) => label)
    expect(labels('stake')).toEqual(['2.50 USDC', '10.00 USDC'])
    expect(labels('duration')).toEqual(['60 s', '300 s', '1200 s'])
    expect(labels('hour')).toEqual(['00:00', '09:00', '23:00'])
  })

  test('gives each group the edge of its own contests', () => {
    const contests = testRun({ contests: 200 }).bots.flatMap((bot) => bot.contests)
    const groups = breakdown(contests, 'mode', SEED)
    expect(groups.length).toBeGreaterThan(5)
    for (const { label, edge } of groups) {
      expect(edge).toEqual(
        edgeOf(
          contests.filter(({ mode }) => mode === label),
          SEED,
        ),
      )
    }
  })
})
