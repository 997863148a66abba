import { describe, expect, test } from 'vitest'
import { VirtualClock } from '../core/clock.ts'
import type { Pause } from '../pipeline/index.ts'
import { pausesOf } from './pauses.ts'

const START = 1_000_000

/** A process whose timers, steady time and machine clock go as a test has them. */
function open() {
  const clock = new VirtualClock(START)
  let [lateMs, stepMs] = [0, 0]
  const steady = { now: () => clock.now() + lateMs, at: (atMs: number, task: () => void) => clock.at(atMs - lateMs, task) }
  const machine = { now: () => clock.now() + lateMs + stepMs }
  const pauses: Pause[] = []
  const subscription = pausesOf({ bots: machine, steady, machine }).subscribe((pause) => pauses.push(pause))
  return {
    ...{ clock, pauses, subscription },
    stand(ms: number) {
      lateMs += ms
    },
    set(ms: number) {
      stepMs += ms
    },
  }
}

describe('pauses of a process', () => {
  test('are told once each, with their times, where its timers come late', async () => {
    const { clock, pauses, stand } = open()
    await clock.advanceBy(10_000)
    expect(pauses).toEqual([])
    stand(16_000)
    await clock.advanceBy(10_000)
    expect(pauses).toEqual([{ from: START + 10_250, until: START + 26_250 }])
    stand(2000)
    await clock.advanceBy(10_000)
    expect(pauses.map(({ from, until }) => until - from)).toEqual([16_000, 2000])
  })

  test.each([
    ['a second is none', 1000, 0],
    ['a little more is one', 1001, 1],
  ])('%s', async (_what, ms, count) => {
    const { clock, pauses, stand } = open()
    await clock.advanceBy(1000)
    stand(ms)
    await clock.advanceBy(1000)
    expect(pauses).toHaveLength(count)
  })

  test('are told where the clock of the machine goes on alone, as when it sleeps; set back it is none', async () => {
    const { clock, pauses, set } = open()
    await clock.advanceBy(1000)
    set(-60_000)
    await clock.advanceBy(1000)
    expect(pauses).toEqual([])
    set(30_000)
    await clock.advanceBy(1000)
    expect(pauses.map(({ from, until }) => until - from)).toEqual([30_000])
  })

  test('leave no timer behind', async () => {
    const { clock, pauses, stand, subscription } = open()
    subscription.unsubscribe()
    stand(16_000)
    await clock.advanceBy(10_000)
    expect(pauses).toEqual([])
  })
})
