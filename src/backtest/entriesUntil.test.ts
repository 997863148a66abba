import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import botsConfig from '../../bots.config.ts'
import { priceLog } from '../../test/support/priceLog.ts'
import { systemClock } from '../core/systemClock.ts'
import { readConfig } from '../strategy/config.ts'
import { type BacktestOptions, backtest } from './backtest.ts'
import { readLogs } from './log/readLogs.ts'
import type { PlayedContest } from './result.ts'

const folder = mkdtempSync(join(tmpdir(), 'entries-until-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const data = readLogs([priceLog(folder)])
const [alice] = readConfig(botsConfig, 'bots.config.ts').bots
const beginsAt = data.prices.at[0] ?? 0
const [MINUTE, TAIL] = [60_000, 120_000]

async function played(
  options: Partial<BacktestOptions> = {},
): Promise<{ readonly contests: readonly PlayedContest[]; readonly open: number }> {
  if (alice === undefined) throw new Error('there is a bot')
  const { bots } = await backtest({ logs: data, bots: [alice], seed: 1, withPrices: false, clock: systemClock, ...options })
  const [bot] = bots
  const open = bot?.warnings.filter(({ code }) => code === 'OPEN_AT_THE_END').length ?? 0
  return { contests: bot?.contests ?? [], open }
}

test('what was entered before is played to its end, and nothing is entered from then on', async () => {
  const until = beginsAt + 5 * MINUTE
  const whole = await played()
  const drained = await played({ entriesUntil: until, to: until + TAIL })
  const cut = await played({ to: until })
  const lockedBefore = ({ contests }: typeof whole) =>
    contests.filter(({ startsAt }) => startsAt !== null && startsAt < until).map(({ contestId }) => contestId)
  expect(drained.contests.length).toBeGreaterThan(20)
  expect(drained.contests.every(({ enteredAt }) => enteredAt < until)).toBe(true)
  expect(drained.open).toBe(0)
  // Up to then it is the same run.
  expect(lockedBefore(drained).toSorted()).toEqual(lockedBefore(whole).toSorted())
  expect(lockedBefore(cut).length).toBeLessThan(lockedBefore(whole).length)
  expect(cut.open).toBe(1)
})

test('what the swaps of each contest brought adds up to what all of them did', async () => {
  if (alice === undefined) throw new Error('there is a bot')
  const { bots } = await backtest({
    ...{ logs: data, bots: [alice], seed: 1, withPrices: false, clock: systemClock },
    ...{ entriesUntil: beginsAt + 8 * MINUTE },
  })
  const [bot] = bots
  const swapped = bot?.contests.filter(({ swapProfit }) => swapProfit !== 0n) ?? []
  expect(swapped.length).toBeGreaterThan(10)
  expect(swapped.reduce((sum, { swapProfit }) => sum + swapProfit, 0n)).toBe(bot?.swapProfit)
})
