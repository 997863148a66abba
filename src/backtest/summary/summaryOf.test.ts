import { expect, test } from 'vitest'
import { testBot, testContest, testRun } from '../../../test/support/backtest/testRun.ts'
import { usdc } from '../../core/usdc.ts'
import { summarySchema } from './summary.ts'
import { summaryOf } from './summaryOf.ts'

const lost = testContest({ mode: 'up_down', result: 'LOSS', payout: 0n, profit: usdc('-2'), stake: usdc('2') })
const ghost = { kind: 'AGENT', side: null, score: '1', moves: [] } as const

test('counts what was played, by bot and by mode, amounts as digits', () => {
  const contests = [
    testContest({
      others: [
        { ...ghost, source: 'recorded' },
        { ...ghost, source: 'reference' },
      ],
    }),
    { ...lost, others: [{ ...ghost, source: 'recorded' as const }] },
    testContest({ result: 'REFUND', payout: usdc('1'), profit: 0n }),
    testContest({ mode: 'up_down', result: null, payout: 0n, profit: 0n }),
  ]
  const run = { ...testRun({ bots: [] }), bots: [testBot({ contests, expired: 3, refused: { STAKE_OVER_LIMIT: 2 } })] }
  const [bot] = summaryOf(run).bots
  expect(bot).toMatchObject({
    name: 'alice',
    contests: { settled: 3, won: 1, lost: 1, drawn: 0, refunded: 1, cancelled: 1 },
    staked: '4000000',
    profit: '-1100000',
    bankroll: '100000000',
    byMode: {
      draft_basket: { settled: 2, won: 1, lost: 0, drawn: 0, refunded: 1, cancelled: 0, staked: '2000000', profit: '900000' },
      up_down: { settled: 1, won: 0, lost: 1, drawn: 0, refunded: 0, cancelled: 1, staked: '2000000', profit: '-2000000' },
    },
    metrics: { roi: -1.1 / 4, winRate: 0.5, sharpe: null, longestLosingStreak: 1 },
    refused: { STAKE_OVER_LIMIT: 2 },
    expired: 3,
    opponents: { recorded: 2, reference: 1 },
  })
})

test('has the fields of the command line’s document', () => {
  const summary = summaryOf(testRun())
  expect(Object.keys(summary)).toEqual(
    expect.arrayContaining(['logs', 'bots', 'priceUpdates', 'events', 'decisions', 'elapsedMs', 'updatesPerSecond', 'fingerprint']),
  )
  const metrics = 'roi winRate sharpe sortino calmar maxDrawdown profitFactor expectancy sqn longestLosingStreak'
  expect(Object.keys(summary.bots[0]?.metrics ?? {})).toEqual(metrics.split(' '))
  expect(summary.updatesPerSecond).toBe(Math.round(1_843_200 / 1.84))
  expect(summaryOf({ ...testRun(), elapsedMs: 0 }).updatesPerSecond).toBe(1_843_200_000)
})

test('comes back from JSON as it was, and is the same whenever it is made', () => {
  const summary = summaryOf(testRun({ contests: 120, bots: ['alice', 'bob'] }))
  expect(summarySchema.parse(JSON.parse(JSON.stringify(summary)))).toEqual(summary)
  expect(summaryOf(testRun({ contests: 120, bots: ['alice', 'bob'] }))).toEqual(summary)
})
