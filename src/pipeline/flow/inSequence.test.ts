import { describe, expect, test } from 'vitest'
import { VirtualClock } from '../../core/clock.ts'
import type { Input } from '../protocol/input.ts'
import { Sequencer } from './inSequence.ts'

const WAYS = {
  ticks: (sequencer: Sequencer, tick: number) => sequencer.enterTick(tick),
  'ticks among other inputs': (sequencer: Sequencer, tick: number) => sequencer.enter({ type: 'prices', tick }),
} as const

describe.each(Object.entries(WAYS))('the sequencer, of %s', (_, enter) => {
  test('counts on from the last input of an earlier run', () => {
    const numbers: number[] = []
    const sequencer: Sequencer = new Sequencer(new VirtualClock(), 41, ({ n }) => void numbers.push(n))
    enter(sequencer, 1)
    enter(sequencer, 2)
    expect(numbers).toEqual([42, 43])
  })

  test('is done with an input before the next begins, even where it feeds back', () => {
    const trace: string[] = []
    const sequencer: Sequencer = new Sequencer(new VirtualClock(), 0, (input) => {
      const name = input.type === 'prices' ? input.tick : 0
      trace.push(`${input.n}: tick ${name} begins`)
      if (name === 1) {
        enter(sequencer, 2)
        enter(sequencer, 3)
      }
      trace.push(`${input.n}: tick ${name} ends`)
    })
    enter(sequencer, 1)
    expect(trace).toEqual([1, 2, 3].flatMap((n) => [`${n}: tick ${n} begins`, `${n}: tick ${n} ends`]))
  })

  test('never goes back in time, whatever the clock does', () => {
    let now = 1000
    const times: number[] = []
    const sequencer: Sequencer = new Sequencer({ now: () => now, at: () => () => {} }, 0, ({ at }) => void times.push(at))
    for (const reading of [1000, 2000, 1500, 1999, 2001]) {
      now = reading
      enter(sequencer, 1)
    }
    expect(times).toEqual([1000, 2000, 2000, 2000, 2001])
  })

  test('lets in nothing that waits once it is closed', () => {
    const seen: Input[] = []
    const sequencer: Sequencer = new Sequencer(new VirtualClock(), 0, (input) => {
      seen.push(input)
      enter(sequencer, 2)
      sequencer.close()
    })
    enter(sequencer, 1)
    enter(sequencer, 3)
    expect(seen).toHaveLength(1)
  })

  test('goes on after an input that threw', () => {
    const seen: number[] = []
    const sequencer: Sequencer = new Sequencer(new VirtualClock(), 0, ({ n }) => {
      if (n === 1) throw new Error('the disk is full')
      seen.push(n)
    })
    expect(() => enter(sequencer, 1)).toThrow('the disk is full')
    enter(sequencer, 2)
    expect(seen).toEqual([2])
  })
})

test('the sequencer hands ticks and other inputs on in one order', () => {
  const trace: string[] = []
  const sequencer: Sequencer = new Sequencer(new VirtualClock(), 0, (input) => {
    trace.push(`${input.n}: ${input.type === 'prices' ? `tick ${input.tick}` : input.type}`)
    if (input.type === 'prices' && input.tick === 1) sequencer.enter({ type: 'timer' })
    if (input.type !== 'timer') return
    sequencer.enterTick(7)
    sequencer.enter({ type: 'caughtUp' })
  })
  sequencer.enterTick(1)
  expect(trace).toEqual(['1: tick 1', '2: timer', '3: tick 7', '4: caughtUp'])
})
