import { describe, expect, test } from 'vitest'
import { SOL, TestWorld } from '../../../test/support/contests/testWorld.ts'
import { auditContests } from '../audit/audit.ts'
import { loadContests, saveContests } from './snapshot.ts'

describe('snapshots', () => {
  test('round-trip exactly, bigints, Maps and the queue included', () => {
    const world = new TestWorld()
    const [alice, bob, carol] = [world.agent('alice'), world.agent('bob'), world.agent('carol', { kind: 'HUMAN' })]
    world.enqueue(alice, { stake: 2n ** 40n - 1_099_500_000_000n })
    world.duel(alice, bob, { mode: 'draft_basket' })
    world.duel(bob, carol)
    const race = world.duel(bob, alice, { mode: 'target_race' })
    const bags = world.duel(alice, bob, { mode: 'last_bag_standing', durationSec: 60, params: { token: SOL } })
    world.pass(3)
    world.trade(alice, race, { buy: SOL, usd: '5' })
    world.trade(bob, bags, { buy: SOL, usd: '7' })
    world.pass(16)
    world.create(carol, { format: 'lobby', capacity: 3, params: { token: SOL, payouts: [2, 1] } })
    const text = saveContests(world.state)
    const loaded = loadContests(text)
    expect(saveContests(loaded)).toBe(text)
    expect(auditContests(loaded)).toEqual([])
    expect(loaded.agents.get(alice)).toEqual(world.state.agents.get(alice))
  })

  test.each([
    '',
    '{',
    '{}',
    '[]',
    'null',
    '{"form":0,"state":{}}',
    '{"form":2,"state":{}}',
    '{"form":3,"state":{"rake":{"$bigint":"x"}}}',
  ])('%s is no snapshot', (text) => {
    expect(() => loadContests(text)).toThrow(expect.objectContaining({ code: 'SNAPSHOT_INVALID' }))
  })
})
