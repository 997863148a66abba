import { expect, test } from 'vitest'
import { VirtualClock } from '../core/clock.ts'
import { ServiceClock } from './serviceClock.ts'

const HOUR_MS = 3_600_000
const START_MS = Date.UTC(2026, 0, 1)

/** Gaps that are told as answers come, one a second. @param headers how far each `Date` is ahead of this machine, in hours */
async function gapsOf(headers: readonly number[]) {
  const clock = new VirtualClock(START_MS)
  const service = new ServiceClock(clock)
  const told: number[] = []
  service.gapMs$.subscribe((gapMs) => told.push(Math.round(gapMs / HOUR_MS)))
  for (const hours of headers) {
    await clock.advanceBy(1000)
    const now = clock.now()
    service.observe({ sentAt: now - 100, receivedAt: now, dateMs: Math.floor((now + hours * HOUR_MS) / 1000) * 1000 })
  }
  return told
}

test.for([
  { name: 'two hours off', headers: [-2, -2, -2], told: [2] },
  { name: '26 hours off, at which no time is believed', headers: [-26, -26, -26], told: [26] },
  { name: 'three hours behind', headers: [3, 3, 3, 3], told: [-3] },
  { name: 'off once, and twice', headers: [-2, 0, -2, -2, 0], told: [] },
  { name: 'half an hour off', headers: [0.5, 0.5, 0.5, 0.5], told: [] },
  { name: 'set right again', headers: [-2, -2, -2, 0, 0, 0], told: [2, 0] },
  { name: 'right once between', headers: [-2, -2, -2, 0, -2, 0, -2], told: [2] },
])('a clock that is $name', async ({ headers, told }) => {
  expect(await gapsOf(headers)).toEqual(told)
})
