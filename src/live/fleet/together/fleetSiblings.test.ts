import { describe, expect, test } from 'vitest'
import { encodeExact } from '../../../core/exactJson.ts'
import type { SiblingEntry } from '../../../pipeline/index.ts'
import { FleetSiblings, type SeenEntry } from './fleetSiblings.ts'

const holdingOf = (bot: string) => ({ bot, epoch: 1, run: `run of ${bot}` })
const seat = (bot: string, contestId: string, more: Partial<SiblingEntry> = {}): SiblingEntry => ({
  ...{ bot, key: `seat:${contestId}`, contestId },
  ...more,
})
const rowOf = (entry: SiblingEntry): SeenEntry => ({ bot: entry.bot, key: entry.key, entry: encodeExact(entry) })

/** One host, on which bob plays and hears of the others. */
function opened() {
  const told: string[] = []
  const news = { areOnTheirWay: false }
  const siblings = new FleetSiblings({
    publish: ({ bot }, { key }) => told.push(`publish ${bot} ${key}`),
    withdraw: ({ bot }, key) => told.push(`withdraw ${bot} ${key}`),
    settle: ({ bot }, standing) => told.push(`settle ${bot} ${standing.join()}`),
    isTelling: () => news.areOnTheirWay,
    enter: async () => ({ status: 'entered' }),
  })
  const heardBy = (bot: string) => {
    const heard: string[] = []
    const port = siblings.portOf(holdingOf(bot))
    port.heard$.subscribe((one) =>
      heard.push(one.type === 'siblingEntered' ? `${one.entry.bot} in ${one.entry.contestId}` : `${one.bot} left ${one.key}`),
    )
    return { port, heard: () => heard.splice(0) }
  }
  return { siblings, told, heardBy, bob: heardBy('bob'), news }
}

describe('FleetSiblings', () => {
  test('tell of other hosts by what beats show, once', () => {
    const { siblings, bob } = opened()
    siblings.see([rowOf(seat('alice', 'a'))])
    siblings.see([rowOf(seat('alice', 'a')), rowOf(seat('carol', 'b'))])
    expect(bob.heard()).toEqual(['alice in a', 'carol in b'])
    siblings.see([rowOf(seat('carol', 'b'))])
    expect(bob.heard()).toEqual(['alice left seat:a'])
  })

  test('what a bot had that is taken over stands for the others until it knows all that it has open', () => {
    const { siblings, heardBy, bob } = opened()
    const rows = ['kept', 'over'].map((contest) => rowOf(seat('alice', contest)))
    siblings.see(rows)
    bob.heard()
    const alice = heardBy('alice')
    expect(alice.heard(), 'nothing of its own').toEqual([])
    siblings.see(rows)
    alice.port.entered(seat('alice', 'kept'))
    // Its row is not there yet.
    alice.port.entered(seat('alice', 'new'))
    siblings.see(rows)
    expect(bob.heard()).toEqual(['alice in new'])
    siblings.restored(holdingOf('alice'))
    expect(bob.heard()).toEqual(['alice left seat:over'])
    // Nobody knows better than itself.
    siblings.see(rows)
    alice.port.left('alice', 'seat:kept')
    siblings.see(rows)
    expect(bob.heard()).toEqual(['alice left seat:kept'])
    siblings.gone('alice')
    siblings.see(rows)
    expect(bob.heard()).toEqual(['alice in kept', 'alice in over', 'alice left seat:new'])
  })

  test('a bot that comes later hears of all that stands but its own, and of what has become another', () => {
    const { siblings, heardBy, bob } = opened()
    siblings.see([rowOf(seat('alice', 'a')), rowOf(seat('carol', 'c'))])
    bob.port.entered(seat('bob', 'b'))
    const carol = heardBy('carol')
    expect(carol.heard().toSorted()).toEqual(['alice in a', 'bob in b'])
    bob.port.entered(seat('bob', 'b'))
    expect(carol.heard()).toEqual([])
    bob.port.entered(seat('bob', 'b', { trial: 'up_down' }))
    expect(carol.heard()).toEqual(['bob in b'])
  })

  test('what is only meant is written as its place is asked for, and at once where it was sent before', () => {
    const { siblings, told, bob } = opened()
    bob.port.entered(seat('bob', 'sent', { meant: true }))
    siblings.restored(holdingOf('bob'))
    bob.port.entered(seat('bob', 'meant', { meant: true }))
    bob.port.entered(seat('bob', 'had'))
    expect(told).toEqual(['publish bob seat:sent', 'settle bob seat:sent', 'publish bob seat:had'])
  })

  test('a row that stands behind the leave of its bot is withdrawn once more, as long as a beat shows it', () => {
    const { siblings, told, bob, news } = opened()
    siblings.restored(holdingOf('bob'))
    bob.port.entered(seat('bob', 'there', { meant: true }))
    bob.port.entered(seat('bob', 'left', { meant: true }))
    bob.port.left('bob', 'seat:left')
    told.splice(0)
    const rows = [rowOf(seat('bob', 'there')), rowOf(seat('bob', 'left')), rowOf(seat('alice', 'a'))]
    news.areOnTheirWay = true
    siblings.see(rows)
    expect(told, 'its leave is on its way').toEqual([])
    news.areOnTheirWay = false
    siblings.see(rows)
    expect(told).toEqual(['withdraw bob seat:left'])
  })
})
