import { describe, expect, test } from 'vitest'
import { VirtualClock } from '../core/clock.ts'
import { type ClockDisagreement, ServiceClock } from './serviceClock.ts'

const START_MS = 1_000_000_000_000

/** A machine, and a service whose header and whose times are each off it. */
function open({ headerMs = 0, timesMs = 0 } = {}) {
  const machine = new VirtualClock(START_MS)
  const skews: number[] = []
  const disagreements: ClockDisagreement[] = []
  const clock = new ServiceClock(machine, {
    onSkew: (skewMs) => skews.push(skewMs),
    onDisagreement: (disagreement) => disagreements.push(disagreement),
  })
  const state = { headerMs, timesMs }
  const pass = (ms: number) => machine.advanceTo(machine.now() + ms)
  /** An answer that took so long on the way there and back. */
  const answer = (thereMs = 20, backMs = 30) => {
    const sentAt = machine.now()
    pass(thereMs)
    const dateMs = Math.floor((machine.now() + state.headerMs) / 1000) * 1000
    pass(backMs)
    clock.observe({ sentAt, receivedAt: machine.now(), dateMs })
  }
  /** An own action whose answer says when the service took it. */
  const action = (thereMs = 20, backMs = 30) => {
    const notBefore = machine.now()
    pass(thereMs)
    const dateMs = machine.now() + state.timesMs
    pass(backMs)
    clock.observeTime({ dateMs, notBefore, notAfter: machine.now() })
  }
  /** An event, heard of so long after it was made. */
  const event = (agoMs = 500) => {
    const dateMs = machine.now() + state.timesMs
    pass(agoMs)
    clock.observeTime({ dateMs, notAfter: machine.now() })
  }
  const skewMs = () => clock.service.now() - machine.now()
  return { machine, clock, skews, disagreements, answer, action, event, skewMs, state, pass }
}

const times = (count: number, act: () => void) => {
  for (let n = 0; n < count; n++) act()
}

describe('by the Date header alone', () => {
  test.each([0, 400, -400])('%d ms off moves nothing by more than that', (headerMs) => {
    const { skewMs, answer } = open({ headerMs })
    times(60, answer)
    expect(Math.abs(skewMs())).toBeLessThanOrEqual(Math.abs(headerMs))
  })

  test.each([
    2000, -2000, 60_000, -90_000, 3_600_000,
  ])('%d ms off is known to a second from the second answer on, and no single answer moves it', (headerMs) => {
    const { skews, answer, skewMs } = open({ headerMs })
    answer()
    expect(skews).toEqual([])
    answer()
    expect(Math.abs(skewMs() - headerMs)).toBeLessThanOrEqual(1000)
    times(60, () => answer(7, 900))
    expect(Math.abs(skewMs() - headerMs)).toBeLessThanOrEqual(1000)
  })

  test('a slow answer is no skew', () => {
    const { skews, answer } = open()
    times(3, () => answer(4000, 10))
    times(3, () => answer(10, 4000))
    expect(skews).toEqual([])
  })

  test('a day off says that the date is wrong', () => {
    const { skews, answer } = open({ headerMs: 26 * 3_600_000 })
    times(30, answer)
    expect(skews).toEqual([])
  })

  test('once twenty are known it moves a second a minute, until all of the last twenty agree: then it jumps, once', () => {
    const { skews, answer, skewMs, state, pass } = open()
    times(20, answer)
    state.headerMs = 600_000
    times(19, () => {
      answer()
      pass(10_000)
    })
    expect(skewMs()).toBeGreaterThan(0)
    expect(skewMs()).toBeLessThanOrEqual(2000)
    answer()
    expect(Math.abs(skewMs() - 600_000)).toBeLessThanOrEqual(1000)
    const before = skews.length
    times(20, answer)
    expect(skews).toHaveLength(before)
  })
})

describe('by the times of events and answers', () => {
  const OFFSETS = [-600_000, -60_000, -2000, -400, 0, 400, 2000, 60_000, 600_000]
  test.each(OFFSETS.flatMap((ms) => [[ms, 0] as const, [ms, ms] as const]))('%d ms off, with a header of %d ms', (timesMs, headerMs) => {
    const { skewMs, answer, action, event } = open({ headerMs, timesMs })
    times(20, answer)
    action()
    answer()
    action()
    expect(Math.abs(skewMs() - timesMs)).toBeLessThanOrEqual(100)
    times(40, () => {
      event()
      answer()
      action()
    })
    expect(Math.abs(skewMs() - timesMs)).toBeLessThanOrEqual(100)
  })

  test.each(OFFSETS)('%d ms off, without a header', (timesMs) => {
    const { skewMs, action } = open({ timesMs })
    action()
    expect(skewMs()).toBe(0)
    action()
    expect(Math.abs(skewMs() - timesMs)).toBeLessThanOrEqual(50)
  })

  test('events of long ago say nothing', () => {
    const { skews, answer, event } = open()
    answer()
    times(30, () => event(3_600_000))
    expect(skews).toEqual([])
  })

  test('a machine that has slept moves both: the answers after it say by how much', () => {
    const { skewMs, answer, action, state } = open({ headerMs: 0, timesMs: -60_000 })
    times(2, answer)
    times(20, action)
    times(20, answer)
    state.headerMs += 600_000
    state.timesMs += 600_000
    times(20, answer)
    // Each figure of the header is right to a second.
    expect(Math.abs(skewMs() - 540_000)).toBeLessThanOrEqual(2000)
    times(2, action)
    expect(Math.abs(skewMs() - 540_000)).toBeLessThanOrEqual(100)
  })
})

describe('the header and the times disagree', () => {
  test('is said once, after it has lasted, with both figures', () => {
    const { disagreements, answer, action, pass } = open({ headerMs: 60_000, timesMs: -400 })
    times(2, answer)
    times(2, action)
    expect(disagreements).toEqual([])
    times(60, () => {
      pass(5000)
      answer()
      action()
    })
    expect(disagreements).toEqual([{ headerMs: expect.closeTo(60_000, -3), timesMs: expect.closeTo(-400, -2) }])
  })

  test.each([0, 1500])('by %d ms is not said', (headerMs) => {
    const { disagreements, answer, action, pass } = open({ headerMs })
    times(30, () => {
      pass(5000)
      answer()
      action()
    })
    expect(disagreements).toEqual([])
  })
})

describe('the bots’ time', () => {
  test.each([-600_000, 600_000])('does not jump where the times turn out to be %d ms off: the lag says so', (timesMs) => {
    const { clock, machine, answer, action, skewMs } = open({ timesMs })
    const lags: number[] = []
    times(3, answer)
    clock.lagMs$.subscribe((lagMs) => lags.push(lagMs))
    times(3, action)
    expect(clock.now()).toBe(machine.now())
    expect(lags).toEqual([clock.now() - clock.service.now()])
    expect(Math.abs(skewMs() - timesMs)).toBeLessThanOrEqual(100)
  })

  test('never steps back once it is set, whatever the service says', () => {
    const { clock, machine, answer, action, state } = open({ headerMs: 5000 })
    times(2, answer)
    let newest = clock.now()
    for (const [headerMs, timesMs] of [
      [-600_000, 0],
      [3_600_000, 0],
      [0, 7_200_000],
      [-3_600_000, -600_000],
    ] as const) {
      Object.assign(state, { headerMs, timesMs })
      times(25, () => {
        answer()
        action()
        expect(clock.now()).toBeGreaterThanOrEqual(newest)
        newest = clock.now()
      })
    }
    expect(newest - machine.now()).toBeLessThanOrEqual(3_601_000)
  })
})

describe('a timer', () => {
  test('runs no later than the service’s time, also when that is found out while it waits', () => {
    const { clock, machine, answer, state } = open()
    times(3, answer)
    const firedAt: number[] = []
    const dueMs = machine.now() + 600_000
    clock.at(dueMs, () => firedAt.push(machine.now() + state.headerMs))
    const cancel = clock.at(dueMs, () => firedAt.push(0))
    machine.advanceTo(machine.now() + 60_000)
    state.headerMs = 300_000
    times(20, answer)
    cancel()
    machine.advanceTo(machine.now() + 2_000_000)
    expect(firedAt).toHaveLength(1)
    expect(Math.abs((firedAt[0] ?? 0) - dueMs)).toBeLessThanOrEqual(1000)
  })

  test('that was cancelled does not run', () => {
    const { clock, machine } = open()
    const ran: number[] = []
    clock.at(clock.now() + 1000, () => ran.push(1))()
    machine.advanceTo(machine.now() + 5000)
    expect(ran).toEqual([])
  })
})

describe('a machine whose clock is set', () => {
  function openSet() {
    const base = new VirtualClock(START_MS)
    const state = { setBy: 0, serviceAheadBy: 0 }
    const skews: number[] = []
    const clock = new ServiceClock(base, {
      onSkew: (skewMs) => skews.push(skewMs),
      machine: { now: () => base.now() + state.setBy },
    })
    const answer = () => {
      const at = base.now()
      clock.observe({ sentAt: at, receivedAt: at, dateMs: Math.floor((at + state.serviceAheadBy) / 1000) * 1000 })
    }
    return { base, state, skews, clock, answer }
  }

  test('moves nothing; the two answers after it say who is right', () => {
    const { clock, state, skews, answer } = openSet()
    times(20, answer)
    state.setBy = 3_600_000
    expect(clock.now()).toBe(START_MS)
    times(20, answer)
    expect([clock.now(), skews]).toEqual([START_MS, []])
    // The machine has slept: its clock went on, and so did the service's.
    state.setBy += 600_000
    state.serviceAheadBy = 600_000
    times(2, answer)
    expect(Math.abs(clock.now() - START_MS - 600_000)).toBeLessThanOrEqual(1000)
    expect(skews).toHaveLength(1)
  })
})
