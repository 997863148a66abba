import { expect, test } from 'vitest'
import { VirtualClock } from '../../core/clock.ts'
import { DailySummary } from './dailySummary.ts'

const HOUR_MS = 3_600_000

/** What was sent, in UTC to the minute. */
async function sentWithin(
  from: string,
  hours: number,
  { at = '21:00', timeZone = 'UTC', takes = (): boolean => true } = {},
): Promise<string[]> {
  const clock = new VirtualClock(Date.parse(from))
  const sent: string[] = []
  const send = () => {
    sent.push(new Date(clock.now()).toISOString().slice(5, 16))
    return Promise.resolve(takes())
  }
  const summary = new DailySummary({ at, timeZone, clock, send })
  await clock.advanceBy(hours * HOUR_MS, 10_000)
  summary.close()
  return sent
}

test('once a day, at the time of the zone', async () => {
  expect(await sentWithin('2026-01-01T12:00:00Z', 48)).toEqual(['01-01T21:00', '01-02T21:00'])
  expect(await sentWithin('2026-01-01T12:00:00Z', 48, { timeZone: 'America/New_York' })).toEqual(['01-02T02:00', '01-03T02:00'])
})

test('a run that begins at that time or later leaves the day out: another one has told of it', async () => {
  expect(await sentWithin('2026-01-01T21:00:00Z', 23)).toEqual([])
  expect(await sentWithin('2026-01-01T20:59:00Z', 1)).toEqual(['01-01T21:00'])
})

test('a time that the clocks skip comes when they have, and one that they have twice comes once', async () => {
  const berlin = { at: '02:30', timeZone: 'Europe/Berlin' }
  expect(await sentWithin('2026-03-28T12:00:00Z', 24, berlin)).toEqual(['03-29T01:00'])
  expect(await sentWithin('2026-10-24T12:00:00Z', 24, berlin)).toEqual(['10-25T00:30'])
})

test('what is not taken is sent again until it is, and not on the next day', async () => {
  let tries = 0
  expect(await sentWithin('2026-01-01T20:59:50Z', 2, { takes: () => ++tries === 3 })).toHaveLength(3)
  const never = await sentWithin('2026-01-01T23:58:00Z', 2, { at: '23:59', takes: () => false })
  expect(never.every((time) => time === '01-01T23:59')).toBe(true)
  expect(never.length).toBeGreaterThan(1)
})

test('nothing is sent once it is closed', async () => {
  const clock = new VirtualClock(Date.parse('2026-01-01T20:59:50Z'))
  let sent = 0
  new DailySummary({ at: '21:00', timeZone: 'UTC', clock, send: () => Promise.resolve(++sent > 0) }).close()
  await clock.advanceBy(2 * HOUR_MS, 60_000)
  expect(sent).toBe(0)
})
