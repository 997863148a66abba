import { describe, expect, test } from 'vitest'
import { VirtualClock } from '../core/clock.ts'
import { ServiceClock } from './serviceClock.ts'

const START_MS = 1_000_000_000_000

/** A machine whose clock is off, and a service whose clock is right. */
function open(offMs: number) {
  const machine = new VirtualClock(START_MS + offMs)
  const skews: number[] = []
  const clock = new ServiceClock(machine, (skewMs) => skews.push(skewMs))
  const state = { offMs }
  /** An answer that took so long on the way there and back. */
  const answer = (thereMs = 20, backMs = 30) => {
    const sentAt = clock.now()
    machine.advanceTo(machine.now() + thereMs)
    const service = machine.now() - state.offMs
    machine.advanceTo(machine.now() + backMs)
    clock.observe({ sentAt, receivedAt: clock.now(), dateMs: Math.floor(service / 1000) * 1000 })
  }
  const error = () => clock.now() - (machine.now() - state.offMs)
  return { machine, clock, skews, answer, error, state }
}

describe('ServiceClock', () => {
  test.each([0, 900, -900, 1900, -1900])('off by %d ms it is the machine’s own', (offMs) => {
    const { clock, machine, skews, answer } = open(offMs)
    for (let count = 0; count < 20; count++) answer()
    expect(clock.now()).toBe(machine.now())
    expect(skews).toEqual([])
  })

  test.each([
    4000, -4000, 60_000, -90_000, 3_600_000,
  ])('off by %d ms it is the service’s to a second, from the first answer on', (offMs) => {
    const { skews, answer, error } = open(offMs)
    answer()
    expect(Math.abs(error())).toBeLessThanOrEqual(1000)
    expect(skews).toHaveLength(1)
    expect(Math.abs((skews[0] ?? 0) + offMs)).toBeLessThanOrEqual(1000)
    for (let count = 0; count < 50; count++) answer(count * 7, 900)
    expect(skews).toHaveLength(1)
  })

  test('a slow answer is no skew', () => {
    const { skews, answer } = open(0)
    answer(4000, 10)
    answer(10, 4000)
    expect(skews).toEqual([])
  })

  test('one odd answer is not believed once the skew is known; three in a row are', () => {
    const { clock, skews, answer, state } = open(0)
    answer()
    clock.observe({ sentAt: clock.now(), receivedAt: clock.now(), dateMs: START_MS - 3_600_000 })
    answer()
    expect(skews).toEqual([])
    state.offMs = -600_000 // the machine slept for ten minutes
    answer()
    answer()
    expect(skews).toEqual([])
    answer()
    expect(skews).toHaveLength(1)
    expect(Math.abs((skews[0] ?? 0) - 600_000)).toBeLessThanOrEqual(1000)
  })

  test('says so when the clocks agree again', () => {
    const { skews, answer, state } = open(10_000)
    answer()
    state.offMs = 0
    for (let count = 0; count < 3; count++) answer()
    expect(skews).toHaveLength(2)
    expect(skews[1]).toBe(0)
  })

  test('a timer runs at the service’s time, also when the skew is found out while it waits', () => {
    const { clock, machine, answer, state } = open(0)
    answer()
    const ranAt: number[] = []
    clock.at(clock.now() + 10_000, () => ranAt.push(clock.now()))
    state.offMs = 5000 // the machine’s clock was set forward: the service is behind it
    for (let count = 0; count < 3; count++) answer()
    machine.advanceTo(machine.now() + 9000)
    expect(ranAt).toEqual([])
    machine.advanceTo(machine.now() + 6500)
    expect(ranAt).toHaveLength(1)
  })

  test('a timer that was cancelled does not run', () => {
    const { clock, machine } = open(0)
    const ran: number[] = []
    clock.at(clock.now() + 1000, () => ran.push(1))()
    machine.advanceTo(machine.now() + 5000)
    expect(ran).toEqual([])
  })

  test('a machine whose clock is set moves nothing, and the next answer says who is right', () => {
    const base = new VirtualClock(START_MS)
    const state = { setBy: 0, serviceAheadBy: 0 }
    const skews: number[] = []
    const clock = new ServiceClock(base, (skewMs) => skews.push(skewMs), { now: () => base.now() + state.setBy })
    const answer = () => {
      const at = clock.now()
      clock.observe({ sentAt: at, receivedAt: at, dateMs: Math.floor((base.now() + state.serviceAheadBy) / 1000) * 1000 })
    }
    answer()
    state.setBy = 3_600_000
    expect(clock.now()).toBe(START_MS)
    answer()
    expect([clock.now(), skews]).toEqual([START_MS, []])
    // The machine has slept: its clock went on, and so did the service's.
    state.setBy += 600_000
    state.serviceAheadBy = 600_000
    answer()
    expect(Math.abs(clock.now() - START_MS - 600_000)).toBeLessThanOrEqual(1000)
    expect(skews).toHaveLength(1)
  })

  test('a timer keeps to the service’s time when a skew is found out while it waits, nearer or farther', () => {
    for (const offMs of [-300_000, 300_000]) {
      const { clock, machine, answer, state } = open(0)
      answer()
      const firedAt: number[] = []
      const dueMs = machine.now() + 600_000
      clock.at(dueMs, () => firedAt.push(machine.now() - state.offMs))
      const cancelled = clock.at(dueMs, () => firedAt.push(0))
      machine.advanceTo(machine.now() + 60_000)
      state.offMs = offMs
      for (let count = 0; count < 5; count++) answer()
      cancelled()
      machine.advanceTo(machine.now() + 2_000_000)
      expect(firedAt).toHaveLength(1)
      expect(Math.abs((firedAt[0] ?? 0) - dueMs)).toBeLessThanOrEqual(1000)
    }
  })

  test.each([
    7_200_000, -7_200_000, 0,
  ])('one odd answer is not believed, though the machine is set %d ms off the time that passes', (aheadMs) => {
    const base = new VirtualClock(START_MS)
    const skews: number[] = []
    const clock = new ServiceClock(base, (skewMs) => skews.push(skewMs), { now: () => base.now() + aheadMs })
    const answer = (skewMs: number) => clock.observe({ sentAt: clock.now(), receivedAt: clock.now(), dateMs: clock.now() + skewMs })
    answer(0)
    for (let count = 0; count < 5; count++) {
      base.advanceTo(base.now() + 60_000)
      answer(count % 2 === 0 ? 3_600_000 : 0)
    }
    expect(skews).toEqual([])
  })
})
