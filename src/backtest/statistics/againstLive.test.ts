import { expect, test } from 'vitest'
import { testContest } from '../../../test/support/backtest/testRun.ts'
import { usdc } from '../../core/usdc.ts'
import type { LiveContest } from '../log/liveContests.ts'
import { againstLive } from './againstLive.ts'

const played = testContest({
  contestId: 'c1',
  mode: 'pnl_usd',
  others: [{ kind: 'AGENT', source: 'recorded', side: null, score: '1', moves: [] }],
})
const live: LiveContest = { contestId: 'c1', mode: 'pnl_usd', result: 'WIN', profit: usdc('0.9'), startsAt: played.startsAt, toldAt: 0 }
const whyOf = (real: Partial<LiveContest>, here: Partial<typeof played> = {}) =>
  againstLive([{ ...played, ...here }], [{ ...live, ...real }])?.map(({ why }) => why)

test('a contest that came to the same has no reason, and any other has one', () => {
  expect(whyOf({})).toEqual([null])
  const lost = { result: 'LOSS', profit: usdc('-1') } as const
  expect(whyOf(lost)).toEqual([expect.stringMatching(/swaps were filled at other instants or prices/)])
  expect(whyOf({ ...lost, mode: 'draft_basket' })).toEqual([expect.stringMatching(/moved otherwise/)])
  expect(whyOf({ ...lost, startsAt: (played.startsAt ?? 0) - 2000 })).toEqual(['it began 2 s later here'])
  expect(whyOf(lost, { others: [{ kind: 'AGENT', source: 'reference', side: null, score: '1', moves: [] }] })).toEqual([
    expect.stringMatching(/seeded opponent/),
  ])
  expect(whyOf(lost, { result: null })).toEqual([expect.stringMatching(/cancelled here/)])
})

test('contests of one side alone are told, and a log of other bots is compared with nothing', () => {
  const rows = againstLive([played], [{ ...live, contestId: 'c2' }])
  expect(rows).toMatchObject([
    { contestId: 'c2', live: { result: 'WIN' }, backtest: null, why: expect.stringMatching(/^not entered here/) },
    { contestId: 'c1', live: null, backtest: { result: 'WIN' }, why: expect.stringMatching(/^entered here alone/) },
  ])
  expect(againstLive([played], undefined)).toBeUndefined()
})
