import { describe, expect, test } from 'vitest'
import { VirtualClock } from './clock.ts'

/** A clock at 1,000 ms and what its timers wrote down: their name and the time they saw. */
function clockWithLog() {
  const clock = new VirtualClock(1000)
  const log: string[] = []
  const note = (name: string) => () => {
    log.push(`${name}@${clock.now()}`)
  }
  return { clock, log, note }
}

describe('VirtualClock', () => {
  test('stands still until it is moved, and starts at 0 unless told otherwise', () => {
    expect(new VirtualClock().now()).toBe(0)
    const { clock } = clockWithLog()
    expect(clock.now()).toBe(1000)
    clock.advanceTo(1234)
    expect(clock.now()).toBe(1234)
  })

  test('runs timers in order of time, each at its own time', () => {
    const { clock, log, note } = clockWithLog()
    clock.at(1300, note('c'))
    clock.at(1100, note('a'))
    clock.at(1200, note('b'))
    clock.at(1301, note('later'))
    clock.advanceTo(1300)
    expect(log).toEqual(['a@1100', 'b@1200', 'c@1300'])
    expect(clock.now()).toBe(1300)
  })

  test('runs timers of one time in order of creation', () => {
    const { clock, log, note } = clockWithLog()
    for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) clock.at(1100, note(name))
    clock.advanceTo(1100)
    expect(log).toEqual(['a', 'b', 'c', 'd', 'e', 'f'].map((name) => `${name}@1100`))
  })

  test('runs a timer once', () => {
    const { clock, log, note } = clockWithLog()
    clock.at(1100, note('a'))
    clock.advanceTo(1100)
    clock.advanceTo(1100)
    clock.advanceTo(5000)
    expect(log).toEqual(['a@1100'])
  })

  test('does not run a cancelled timer, and cancelling it again or after it ran does nothing', () => {
    const { clock, log, note } = clockWithLog()
    const cancelA = clock.at(1100, note('a'))
    const cancelB = clock.at(1100, note('b'))
    cancelA()
    cancelA()
    clock.advanceTo(1100)
    cancelB()
    clock.advanceTo(2000)
    expect(log).toEqual(['b@1100'])
  })

  test('a timer can cancel one that is due at the same time', () => {
    const { clock, log, note } = clockWithLog()
    let cancel = () => {}
    clock.at(1100, () => cancel())
    cancel = clock.at(1100, note('cancelled'))
    clock.advanceTo(1100)
    expect(log).toEqual([])
  })

  test('runs the timers that timers set, in their order among the others', () => {
    const { clock, log, note } = clockWithLog()
    clock.at(1100, () => {
      note('a')()
      clock.at(1150, note('from a'))
      clock.at(1100, note('from a, at once'))
      clock.at(1400, note('too late'))
    })
    clock.at(1200, note('b'))
    clock.advanceTo(1300)
    expect(log).toEqual(['a@1100', 'from a, at once@1100', 'from a@1150', 'b@1200'])
  })

  test('a time that is past runs at the next turn, not within the call, and time does not go back', () => {
    const { clock, log, note } = clockWithLog()
    clock.at(1000, note('due'))
    clock.at(10, note('past'))
    expect(log).toEqual([])
    clock.advanceTo(1000)
    expect(log).toEqual(['due@1000', 'past@1000'])
    clock.at(1500, note('future'))
    clock.advanceTo(500)
    expect(clock.now()).toBe(1000)
    expect(log).toHaveLength(2)
  })

  test('a timer that throws leaves the clock at its time, and the rest still to run', () => {
    const { clock, log, note } = clockWithLog()
    clock.at(1100, () => {
      throw new Error('broken')
    })
    clock.at(1200, note('b'))
    expect(() => clock.advanceTo(2000)).toThrow('broken')
    expect(clock.now()).toBe(1100)
    clock.advanceTo(2000)
    expect(log).toEqual(['b@1200'])
  })

  test('advanceBy gives what promises set a chance to run on the way', async () => {
    const { clock, log, note } = clockWithLog()
    clock.at(1100, () => {
      void Promise.resolve().then(() => clock.at(1200, note('set by a promise')))
    })
    await clock.advanceBy(300)
    expect(log).toEqual(['set by a promise@1200'])
    expect(clock.now()).toBe(1300)
  })

  test('advanceBy takes steps, the last one shorter', async () => {
    const { clock, log, note } = clockWithLog()
    clock.at(1070, note('a'))
    await clock.advanceBy(70, 50)
    expect(log).toEqual(['a@1070'])
    expect(clock.now()).toBe(1070)
  })
})
