import { describe, expect, test } from 'vitest'
import { testContest } from '../../../test/support/backtest/testRun.ts'
import { type WarningsOptions, warningsOf } from './warnings.ts'

const reference = { kind: 'AGENT', source: 'reference', side: null, score: null, moves: [] } as const
const short = testContest({ durationSec: 22, others: [reference] })
const long = testContest({ durationSec: 60, others: [reference] })
const recorded = testContest({ durationSec: 22, others: [{ ...reference, source: 'recorded' }] })
const cancelled = testContest({ durationSec: 22, result: null })

const NOTHING: WarningsOptions = {
  ...{
    modes: [],
    contests: [],
    onOldPrices: { swaps: 0, entries: 0 },
    faults: new Map(),
    rejected: new Map(),
    open: 0,
    maxPriceAgeMs: 15_000,
    stepMs: 60_000,
    waitsMs: [],
    usualWaitMs: 1500,
  },
}
const codes = (options: Partial<WarningsOptions>) => warningsOf({ ...NOTHING, ...options }).map(({ code }) => code)

describe('a result is to be taken with care', () => {
  test('where swaps were refused because prices come more seldom than the guard allows', () => {
    expect(codes({ onOldPrices: { swaps: 3, entries: 0 } })).toEqual(['SWAPS_ON_OLD_PRICES'])
    expect(codes({ onOldPrices: { swaps: 0, entries: 1 } })).toEqual(['ENTRIES_ON_OLD_PRICES'])
    expect(codes({ onOldPrices: { swaps: 3, entries: 3 }, maxPriceAgeMs: 60_000 })).toEqual([])
    const [swaps, entries] = warningsOf({ ...NOTHING, onOldPrices: { swaps: 1792, entries: 1 } })
    expect(swaps?.message).toContain(
      'swaps were refused for old prices 1,792 times: the log has one every 60 s, guard.maxPriceAgeMs is 15 s',
    )
    expect(entries?.message).toContain('entries were refused for old prices once: the log has one every 60 s')
  })

  test('where strategies failed, or the service refused what they wanted', () => {
    const at = Date.UTC(2025, 6, 21)
    const faults = new Map([['edge', { message: 'strategy edge failed: no such thing', at, times: 1 }]])
    const rejected = new Map([['INVALID_INPUT', { message: 'INVALID_INPUT: durationSec 10', at, times: 3130 }]])
    expect(warningsOf({ ...NOTHING, faults, rejected }).map(({ message }) => message)).toEqual([
      'once, at 2025-07-21T00:00:00.000Z: strategy edge failed: no such thing',
      'the service refused actions, 3,130 times, first at 2025-07-21T00:00:00.000Z: INVALID_INPUT: durationSec 10',
    ])
  })

  test('where modes were entered that nobody plays', () => {
    expect(codes({ modes: [{ code: 'MODES_NOT_PLAYED', message: 'ladder enters pnl_usd' }] })).toEqual(['MODES_NOT_PLAYED'])
  })

  test('where tickets waited for an opponent of the log, and so much longer than usual that the contests are fewer', () => {
    const contests = Array(10).fill(short)
    expect(codes({ contests, stepMs: 1000, waitsMs: [400, 12_800, 15_000] })).toEqual(['WAITED_FOR_THE_LOG'])
    expect(codes({ contests, stepMs: 1000, waitsMs: [400, 3800, 15_000] })).toEqual([])
    expect(codes({ contests: Array(10).fill(long), stepMs: 1000, waitsMs: [7000] })).toEqual([])
    expect(codes({ contests, stepMs: 1000, waitsMs: [] })).toEqual([])
    const [warning] = warningsOf({ ...NOTHING, contests, stepMs: 1000, waitsMs: [12_800] })
    expect(warning?.message).toContain('tickets waited 12.8 s for an opponent of the log, in the median, where 1.5 s is usual')
  })

  test('where something was not over', () => {
    expect(codes({ open: 1 })).toEqual(['OPEN_AT_THE_END'])
    expect(codes({ open: 1, contests: Array(10).fill(long) })).toEqual([])
    expect(codes({ open: 0 })).toEqual([])
  })

  test('where contests that nobody recorded lay between two prices', () => {
    expect(codes({ contests: [long, recorded, cancelled] })).toEqual([])
    expect(codes({ contests: [short], stepMs: 22_000 })).toEqual([])
    const [warning] = warningsOf({ ...NOTHING, contests: [short, long, recorded, cancelled] })
    expect(warning?.code).toBe('CONTESTS_BETWEEN_PRICES')
    expect(warning?.message).toContain('1 of 3 contests were shorter than the 60 s between two prices')
  })
})
