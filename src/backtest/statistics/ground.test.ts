import { describe, expect, test } from 'vitest'
import { testContest } from '../../../test/support/backtest/testRun.ts'
import type { Ghost } from '../result.ts'
import { coarseModesOf, headlineOf } from './ground.ts'

const MINUTE_MS = 60_000
const seat = (source: Ghost['source']): Ghost => ({ kind: 'AGENT', source, side: null, score: '1', moves: [] })
const contest = (durationSec: number, source: Ghost['source'] = 'reference') =>
  testContest({ mode: 'up_down', durationSec, others: [seat(source)] })

describe('the ground of a mode', () => {
  test('holds where its contests last so many periods, and not a second less', () => {
    expect(coarseModesOf([contest(180)], MINUTE_MS)).toEqual([])
    expect(coarseModesOf([contest(179)], MINUTE_MS)).toEqual([
      { mode: 'up_down', durationSec: 179, periodMs: MINUTE_MS, neededPeriodMs: 59_666 },
    ])
  })

  test('is not lost by a tenth of shorter contests', () => {
    const long = Array.from({ length: 19 }, () => contest(600))
    expect(coarseModesOf([...long, contest(20)], MINUTE_MS)).toEqual([])
    expect(coarseModesOf([...long, ...Array.from({ length: 5 }, () => contest(20))], MINUTE_MS)).toHaveLength(1)
  })

  test('is the log’s own where no way between prices is drawn, and where the opponents were recorded', () => {
    expect(coarseModesOf([contest(15)], 5000)).toEqual([])
    expect(coarseModesOf([contest(15)], 5001)).toHaveLength(1)
    expect(coarseModesOf([contest(15, 'recorded')], MINUTE_MS)).toEqual([])
  })

  test('decides which contests are in the headline', () => {
    const contests = [contest(20), testContest({ durationSec: 600, others: [seat('reference')] })]
    const coarseModes = coarseModesOf(contests, MINUTE_MS)
    expect(headlineOf({ contests, coarseModes })).toEqual([contests[1]])
    expect(headlineOf({ contests, coarseModes: [] })).toBe(contests)
  })
})
