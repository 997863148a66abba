import { expect, test } from 'vitest'
import { SiblingBus } from './siblingBus.ts'

test('a bot hears of the others, not of itself', () => {
  const bus = new SiblingBus()
  const heard: unknown[] = []
  bus.portOf('alice').heard$.subscribe((input) => heard.push(input))
  const [alice, bob] = [bus.portOf('alice'), bus.portOf('bob')]
  const entry = { bot: 'bob', key: 'seat:c', contestId: 'c' }
  bob.entered(entry)
  alice.entered({ bot: 'alice', key: 'seat:d', contestId: 'd' })
  alice.left('alice', 'seat:d')
  bob.left('bob', 'seat:c')
  expect(heard).toEqual([
    { type: 'siblingEntered', entry },
    { type: 'siblingLeft', bot: 'bob', key: 'seat:c' },
  ])
})

test('one that comes later hears of what stands, and of nothing that was left', () => {
  const bus = new SiblingBus()
  const bob = bus.portOf('bob')
  const stands = { bot: 'bob', key: 'seat:c', contestId: 'c' }
  bob.entered({ bot: 'bob', key: 'seat:gone', contestId: 'gone' })
  bob.entered(stands)
  bob.left('bob', 'seat:gone')
  const heard: unknown[] = []
  bus.portOf('alice').heard$.subscribe((input) => heard.push(input))
  bus.portOf('bob').heard$.subscribe((input) => heard.push(input))
  expect(heard).toEqual([{ type: 'siblingEntered', entry: stands }])
})
