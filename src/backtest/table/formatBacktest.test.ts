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
    expect(formatBacktest(now)).not.toMatch(/^against/m)
  })

  describe('of a log that is too coarse for a mode', () => {
    const coarseModes = [{ mode: 'up_down', durationSec: 20, periodMs: 60_000, neededPeriodMs: 6666 }] as const

    test('leaves it out of the headline, and says why', () => {
      const summary = runOf({ contests: [won, won, lost], coarseModes })
      const text = formatBacktest(summary, undefined, (line) => `~${line}~`)
      expect(cellsOf(text, 'settled')).toEqual(['2'])
      expect(cellsOf(text, 'profit')).toEqual(['1.80'])
      expect(cellsOf(text, 'return on investment')).toEqual(['90.0%'])
      expect(text).toMatch(/^~ {2}up_down \* +1 .*~$/m)
      expect(text).toMatch(/^ {2}draft_basket +2 /m)
      expect(text).toContain(
        '  - up_down: contests of 20 s on a price every 60 s are decided by the seed, not by prices. They need a price every 6.67 s or less; or contests of 181 s or more',
      )
      expect(summary.bots[0]?.byMode).toMatchObject({ up_down: { tooCoarse: { neededPeriodMs: 6666 } }, draft_basket: { tooCoarse: null } })
    })

    test('has a sentence and no figure of its contests where nothing is left', () => {
      const text = formatBacktest(runOf({ contests: [lost], coarseModes }))
      for (const figure of ['return on investment', 'profit {3}', 'win rate', 'Sharpe'])
        expect(text).not.toMatch(new RegExp(`^ {2}${figure}`, 'm'))
      expect(cellsOf(text, 'bankroll at the start')).toEqual(['100.00'])
      expect(text.trimEnd().split('\n').at(-1)).toBe(
        'alice: no figure. All its contests were too short for a log with a price every 60 s: the seed decided them, and not the bot. Enter contests of 181 s or more, or take a log of closer prices, such as a recording of a sandbox run.',
      )
    })
  })

  test('ends with what the run comes to', () => {
    const last = (...contests: (typeof won)[]) => formatBacktest(runOf({ contests })).trimEnd().split('\n').at(-1)
    expect(last()).toBe('alice: no figure. It played no contest to its end.')
    expect(last(won)).toBe(
      'alice: +90.0% of the stake a contest, over 1 contest against seeded opponents: too few, or too much alike, for an interval.',
    )
    expect(last(...Array.from({ length: 20 }, () => [won, lost]).flat())).toMatch(
      /^alice: -5\.0% of the stake a contest, over 40 contests against seeded opponents; 95% interval .*\. An even game comes to -5\.0%, by the rake\. Not to be told from zero: about [\d,]+ contests would tell\.$/,
    )
    expect(last(...Array.from({ length: 40 }, () => [won, won, lost]).flat())).toMatch(/It wins\.$/)
    expect(last(...Array.from({ length: 40 }, () => [won, lost, lost]).flat())).toMatch(/It loses\.$/)
  })

  test('says when a bot could pay for nothing any more', () => {
    const ruined = { at: Date.UTC(2025, 6, 21, 13), stake: usdc('1'), available: usdc('0.4') }
    expect(formatBacktest(runOf({ contests: [lost], ruined }))).toContain(
      '  It could pay for nothing any more from 2025-07-21T13:00:00.000Z on, and its backtest ends there: it had 0.40 USDC left, nothing at stake, and asked for stakes of 1.00 USDC or more.',
    )
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
