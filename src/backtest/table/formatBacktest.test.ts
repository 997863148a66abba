import { describe, expect, test } from 'vitest'
import { testBot, testContest, testRun } from '../../../test/support/backtest/testRun.ts'
import { usdc } from '../../core/usdc.ts'
import { summaryOf } from '../summary/summaryOf.ts'
import { formatBacktest } from './formatBacktest.ts'

const runOf = (...bots: Parameters<typeof testBot>[0][]) => summaryOf({ ...testRun({ bots: [] }), bots: bots.map(testBot) })
const won = testContest()
const lost = testContest({ mode: 'up_down', result: 'LOSS', payout: 0n, profit: usdc('-1') })

/** The cells of the line that begins with this text. */
function cellsOf(text: string, start: string): string[] {
  const line = text.split('\n').find((candidate) => candidate.trim().startsWith(start))
  return (line ?? '')
    .trim()
    .slice(start.length)
    .split(/ {2,}/)
    .filter((cell) => cell !== '')
    .map((cell) => cell.trim())
}

describe('formatBacktest', () => {
  const now = runOf({ contests: [won, won, lost], refused: { DAILY_LOSS: 4 } })

  test('shows each figure, a dash for one that is not known, and where the run comes from', () => {
    const text = formatBacktest(now)
    expect(cellsOf(text, 'profit')).toEqual(['0.80'])
    expect(cellsOf(text, 'win rate')).toEqual(['66.7%'])
    expect(cellsOf(text, 'Sharpe')).toEqual(['–'])
    expect(cellsOf(text, 'draft_basket')).toEqual(['2', '2', '0', '0', '0', '1.80', '+90.0%', '–', '–'])
    expect(cellsOf(text, 'DAILY_LOSS')).toEqual(['4'])
    expect(cellsOf(text, 'half spread')).toEqual(['4.2 bps', 'fitted to 118 observed'])
    expect(cellsOf(text, 'swaps that fail')).toEqual(['2.0%', 'default: the log does not tell'])
    expect(cellsOf(text, 'fingerprint')).toEqual([now.fingerprint])
    expect(text).not.toContain('\u001b')
  })

  test('sets another run beside this one', () => {
    const before = runOf({ contests: [won, lost], refused: { DAILY_LOSS: 6, STAKE_OVER_LIMIT: 1 } })
    const text = formatBacktest(now, before)
    expect(cellsOf(text, 'profit')).toEqual(['0.80', '-0.10', '+0.90'])
    expect(cellsOf(text, 'win rate')).toEqual(['66.7%', '50.0%', '+16.7 pp'])
    expect(cellsOf(text, 'won')).toEqual(['2', '1', '+1'])
    expect(cellsOf(text, 'Sharpe')).toEqual(['–', '–', '–'])
    expect(cellsOf(text, 'DAILY_LOSS')).toEqual(['4', '6', '-2'])
    expect(cellsOf(text, 'STAKE_OVER_LIMIT')).toEqual(['0', '1', '-1'])
    const [, compared = ''] = text.split('by mode, against')
    expect(cellsOf(compared, 'draft_basket')).toEqual(['2', '1', '1.80', '0.90', '+0.90', '+90.0%', '+90.0%', '0.0 pp'])
  })

  test('says so where the other run lacks a bot or a mode, or is the same', () => {
    expect(formatBacktest(now, runOf({ name: 'bob' }))).toContain('the other run has no bot of this name')
    const [, compared = ''] = formatBacktest(now, runOf({ contests: [won] })).split('by mode, against')
    expect(cellsOf(compared, 'up_down')).toEqual(['1', '0', '-1.00', '0.00', '-1.00', '-100.0%', '–', '–'])
    expect(formatBacktest(now, now)).toContain('(the same decisions and outcomes)')
    expect(formatBacktest(now)).not.toContain('against')
  })

  test('says what is to be taken with care', () => {
    const warnings = [{ code: 'SWAPS_ON_OLD_PRICES', message: 'three swaps were refused' }] as const
    expect(formatBacktest(runOf({ warnings }))).toContain('\n  take care\n  - three swaps were refused\n')
    expect(formatBacktest(now)).not.toContain('take care')
  })

  test('says when there was nothing', () => {
    const text = formatBacktest({ ...runOf({}), assumptions: [] })
    expect(text).toContain('no contest was played')
    expect(text).toContain('the guard refused nothing')
    expect(cellsOf(text, 'win rate')).toEqual(['–'])
  })
})
