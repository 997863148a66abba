import { describe, expect, test } from 'vitest'
import { VirtualClock } from '../core/clock.ts'
import type { Input, InputBody } from './input.ts'
import { Sequencer } from './sequencer.ts'

const tick = (n: number): InputBody => ({ type: 'prices', tick: n })

describe('the sequencer', () => {
  test('counts on from the last input of an earlier run', () => {
    const numbers: number[] = []
    const sequencer = new Sequencer(new VirtualClock(), 41, ({ n }) => numbers.push(n))
    sequencer.enter(tick(1))
    sequencer.enter(tick(2))
    expect(numbers).toEqual([42, 43])
  })

  test('is done with an input before the next begins, even where it feeds back', () => {
    const trace: string[] = []
    const sequencer = new Sequencer(new VirtualClock(), 0, (input) => {
      const name = input.type === 'prices' ? input.tick : 0
      trace.push(`${input.n}: tick ${name} begins`)
      if (name === 1) {
        sequencer.enter(tick(2))
        sequencer.enter(tick(3))
      }
      trace.push(`${input.n}: tick ${name} ends`)
    })
    sequencer.enter(tick(1))
    expect(trace).toEqual([1, 2, 3].flatMap((n) => [`${n}: tick ${n} begins`, `${n}: tick ${n} ends`]))
  })

  test('never goes back in time, whatever the clock does', () => {
    let now = 1000
    const times: number[] = []
    const sequencer = new Sequencer({ now: () => now, at: () => () => {} }, 0, ({ at }) => times.push(at))
    for (const reading of [1000, 2000, 1500, 1999, 2001]) {
      now = reading
      sequencer.enter(tick(1))
    }
    expect(times).toEqual([1000, 2000, 2000, 2000, 2001])
  })

  test('lets in nothing that waits once it is closed', () => {
    const seen: Input[] = []
    const sequencer = new Sequencer(new VirtualClock(), 0, (input) => {
      seen.push(input)
      sequencer.enter(tick(2))
      sequencer.close()
    })
    sequencer.enter(tick(1))
    sequencer.enter(tick(3))
    expect(seen).toHaveLength(1)
  })

  test('goes on after an input that threw', () => {
    const seen: number[] = []
    const sequencer = new Sequencer(new VirtualClock(), 0, ({ n }) => {
      if (n === 1) throw new Error('the disk is full')
      seen.push(n)
    })
    expect(() => sequencer.enter(tick(1))).toThrow('the disk is full')
    sequencer.enter(tick(2))
    expect(seen).toEqual([2])
  })
})
