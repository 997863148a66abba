import { expect, test } from 'vitest'
import { testBot, testContest } from '../../test/support/backtest/testRun.ts'
import { usdc } from '../core/usdc.ts'
import { contestRows } from './rows.ts'

const ghost = { kind: 'AGENT', side: null, score: '0.5', moves: [{ at: 1, text: 'pick WIF' }] } as const

test('a contest is a line, with its amounts in digits and the seats of the others without their moves', () => {
  const contest = testContest({ swapProfit: -usdc('0.25'), others: [{ ...ghost, source: 'recorded' }] })
  const [line = '', ...rest] = contestRows({ bots: [testBot({ contests: [contest] })] }).split('\n')
  expect(rest).toEqual([''])
  const { contestId, mode, durationSec, enteredAt, startsAt, endedAt } = contest
  expect(JSON.parse(line)).toEqual({
    ...{ bot: 'alice', contestId, mode, opponents: 'AGENT', stake: '1000000', durationSec, enteredAt, startsAt, endedAt },
    ...{ result: 'WIN', payout: '1900000', profit: '900000', swapProfit: '-250000', score: '1.25' },
    ...{ others: [{ kind: 'AGENT', source: 'recorded', side: null, score: '0.5' }], source: 'recorded' },
  })
})

test('one seat that was played by the house makes it the house’s, and bots come one after the other', () => {
  const bots = ['alice', 'bob'].map((name) =>
    testBot({
      name,
      contests: [
        testContest({
          others: [
            { ...ghost, source: 'recorded' },
            { ...ghost, source: 'reference' },
          ],
        }),
      ],
    }),
  )
  const rows = contestRows({ bots }).trimEnd().split('\n')
  expect(rows.map((row) => JSON.parse(row)).map(({ bot, source }) => `${bot} ${source}`)).toEqual(['alice reference', 'bob reference'])
  expect(contestRows({ bots: [testBot()] })).toBe('')
})
