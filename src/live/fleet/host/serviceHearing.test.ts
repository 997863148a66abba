import { expect, test } from 'vitest'
import { seenHost as host } from '../../../../test/support/fleet/sights.ts'
import { ServiceHearing } from './serviceHearing.ts'

function open(bots: readonly string[] = ['alice']) {
  const world = { now: 0, asked: [] as string[] }
  const ask = (bot: string) => Promise.resolve(void world.asked.push(bot))
  return { world, hearing: new ServiceHearing({ bots, ask, now: () => world.now }) }
}

test('whoever has asked nothing does not know; who asks in vain knows since when, and who has an answer forgets that', () => {
  const { world, hearing } = open()
  expect(hearing.unheardMs).toBeUndefined()
  hearing.note('asked')
  world.now = 5000
  hearing.note('asked')
  expect(hearing.unheardMs).toBe(5000)
  hearing.note('answered')
  expect(hearing.unheardMs).toBe(0)
  // What came after an answer of lately may be answered yet.
  world.now = 6000
  hearing.note('asked')
  world.now = 24_999
  expect(hearing.unheardMs).toBe(0)
  world.now = 25_000
  expect(hearing.unheardMs).toBe(19_000)
  world.now = 36_000
  expect(hearing.unheardMs).toBe(30_000)
})

test('an answer of long ago says nothing', () => {
  const { world, hearing } = open()
  hearing.note('asked')
  hearing.note('answered')
  world.now = 20_000
  expect(hearing.unheardMs).toBeUndefined()
})

test('a host without bots asks while another one asks in vain, and often enough for its answers to count', () => {
  const { world, hearing } = open()
  const well = { hosts: [host('h1', { unheard: 0 }), host('h2')] }
  const gone = { hosts: [host('h1', { unheard: 25_000, isAlive: false }), host('h2')] }
  const vain = { hosts: [host('h1', { unheard: 20_000 }), host('h2')] }
  hearing.see(well, false)
  hearing.see(gone, false)
  hearing.see(vain, true)
  expect(world.asked).toEqual([])
  const known = []
  for (world.now = 500; world.now <= 60_500; world.now += 500) {
    const before = world.asked.length
    hearing.see(vain, false)
    if (world.asked.length > before) hearing.note('answered')
    known.push(hearing.unheardMs)
  }
  expect(new Set(known)).toEqual(new Set([0]))
  expect(world.asked).toHaveLength(5)
})

test('a host that has the key of no bot asks nothing', () => {
  const { world, hearing } = open([])
  hearing.see({ hosts: [host('h1', { unheard: 20_000 })] }, false)
  expect(world.asked).toEqual([])
})
