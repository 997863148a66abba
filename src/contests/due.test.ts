import { describe, expect, test } from 'vitest'
import { enqueueing, mintOf, SOL, START_MS, TestWorld } from '../../test/support/contests/testWorld.ts'
import { apply } from './apply.ts'
import { dueCommand, nextDue } from './due.ts'
import { saveContests } from './state/snapshot.ts'

describe('dueCommand', () => {
  test('nothing due, nothing to apply', () => {
    const world = new TestWorld()
    expect(nextDue(world.state)).toBeNull()
    expect(dueCommand(world.state, Number.MAX_SAFE_INTEGER, () => '1')).toBeNull()
  })

  test('is of the time the transition falls due, with the prices of that instant and no other', () => {
    const world = new TestWorld()
    const [alice, bob] = [world.agent('alice'), world.agent('bob')]
    world.duel(alice, bob)
    world.duel(bob, alice, { params: { token: mintOf('WIF') } })
    world.enqueue(alice, { waitSec: 3 })
    expect(nextDue(world.state)).toBe(START_MS + 3000)
    expect(dueCommand(world.state, START_MS + 2999, () => '1')).toBeNull()
    expect(dueCommand(world.state, START_MS + 99_000, (mint) => (mint === SOL ? '187.25' : null))).toEqual({
      type: 'advance',
      now: START_MS + 3000,
      prices: [
        { mint: SOL, at: START_MS + 3000, price: '187.25' },
        { mint: mintOf('WIF'), at: START_MS + 3000, price: null },
      ],
    })
    expect(dueCommand(world.state, START_MS + 99_000, () => '1')?.now).toBe(START_MS + 3000)
  })

  test('a ticket that expires needs no price', () => {
    const world = new TestWorld()
    world.enqueue(world.agent('alice'))
    expect(dueCommand(world.state, START_MS + 30_000, () => '1')).toEqual({ type: 'advance', now: START_MS + 30_000 })
  })

  test('what stands no longer is not due', () => {
    const world = new TestWorld()
    const alice = world.agent('alice')
    const { ticketId } = world.enqueue(alice)
    world.accept({ type: 'cancelTicket', agentId: alice, ticketId })
    expect(nextDue(world.state)).toBeNull()
  })
})

describe('apply', () => {
  test('transitions run in due order, each stamped with its own time, before the command', () => {
    const world = new TestWorld()
    const [alice, bob] = [world.agent('alice'), world.agent('bob')]
    world.enqueue(alice, { waitSec: 20, stake: 3n })
    world.enqueue(alice, { waitSec: 10, stake: 4n })
    world.enqueue(alice, { waitSec: 20, stake: 5n })
    const { events } = apply(world.state, { ...enqueueing(bob, { stake: 4n }), now: START_MS + 25_000 })
    const seqs = events.map(({ data }) => world.state.tickets.get(String(data.ticketId))?.seq)
    expect(events.map(({ type, createdAt }, index) => [type, createdAt, seqs[index]])).toEqual([
      ['ticket.expired', '2025-07-21T12:00:10.000Z', 2],
      ['ticket.expired', '2025-07-21T12:00:20.000Z', 1],
      ['ticket.expired', '2025-07-21T12:00:20.000Z', 3],
    ])
    expect(events.map(({ id }) => id).toSorted()).toEqual(events.map(({ id }) => id))
  })

  test('one command can carry the facts of every transition on the way', () => {
    const world = new TestWorld()
    const [alice, bob] = [world.agent('alice'), world.agent('bob')]
    const contestId = world.duel(alice, bob)
    const prices = [
      { mint: SOL, at: START_MS + 3000, price: '100' },
      { mint: SOL, at: START_MS + 18_000, price: '101' },
    ]
    const { events } = apply(world.state, { type: 'advance', now: START_MS + 60_000, prices })
    expect(events.map(({ type, data }) => [type, data.result])).toEqual([
      ['contest.settled', 'WIN'],
      ['contest.settled', 'LOSS'],
    ])
    expect(world.contest(contestId)).toMatchObject({ status: 'settled', endedAt: START_MS + 18_000 })
    expect(world.state.now).toBe(START_MS + 60_000)
  })

  test('a price that is due and not in the command is a broken invariant', () => {
    const world = new TestWorld()
    world.duel(world.agent('alice'), world.agent('bob'))
    expect(() => apply(world.state, { type: 'advance', now: START_MS + 3000 })).toThrow(
      /no price fact for So1.* at 2025-07-21T12:00:03.000Z/,
    )
  })

  test('a fact that is no price is a broken invariant', () => {
    const world = new TestWorld()
    world.duel(world.agent('alice'), world.agent('bob'))
    const prices = [{ mint: SOL, at: START_MS + 3000, price: '1e3' }]
    expect(() => apply(world.state, { type: 'advance', now: START_MS + 3000, prices })).toThrow(/is not a price/)
  })

  test('a time before the last one counts as the last one', () => {
    const world = new TestWorld()
    const alice = world.agent('alice')
    world.pass(10)
    world.now -= 8000
    const { ticketId } = world.enqueue(alice)
    expect(world.state.now).toBe(START_MS + 10_000)
    expect(world.state.tickets.get(ticketId)?.createdAt).toBe(START_MS + 10_000)
  })

  test('a refused command changes nothing beyond what had fallen due', () => {
    const world = new TestWorld()
    const alice = world.agent('alice')
    world.enqueue(alice)
    world.now += 40_000
    const applied = world.run(enqueueing(alice, { stake: 0n }))
    expect(applied.ok).toBe(false)
    expect(world.dataOf(alice, 'ticket.expired')).toHaveLength(1)
    const before = saveContests(world.state)
    expect(world.run(enqueueing(alice, { stake: 0n })).ok).toBe(false)
    expect(saveContests(world.state)).toBe(before)
  })
})
