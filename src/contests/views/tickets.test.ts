import { describe, expect, test } from 'vitest'
import { busyWorld } from '../../../test/support/contests/busyWorld.ts'
import { TestWorld, valueIn } from '../../../test/support/contests/testWorld.ts'
import { meView } from './agents.ts'
import { ticketsOf, ticketView } from './tickets.ts'

describe('tickets', () => {
  test('one of the agent’s own, whole; of nobody else', () => {
    const { state, alice, bob, ticketId } = busyWorld()
    expect(valueIn(ticketView(state, ticketId, alice))).toEqual({
      ticketId,
      status: 'queued',
      mode: 'up_down',
      stake: '1000000',
      durationSec: 60,
      opponents: 'ANY',
      chain: 'solana',
      createdAt: '2025-07-21T12:00:20.000Z',
      expiresAt: '2025-07-21T12:00:50.000Z',
      contestId: null,
    })
    expect(ticketView(state, ticketId, bob)).toMatchObject({ refusal: { code: 'NOT_FOUND' } })
    expect(ticketView(state, 'none', alice)).toMatchObject({ refusal: { code: 'NOT_FOUND' } })
  })

  test('the last 20, newest first', () => {
    const world = new TestWorld()
    const alice = world.agent('alice')
    const made = Array.from({ length: 23 }, () => world.enqueue(alice).ticketId)
    expect(ticketsOf(world.state, alice).map(({ ticketId }) => ticketId)).toEqual(made.toReversed().slice(0, 20))
    expect(meView(world.state, alice, world.now).openTickets).toHaveLength(23)
  })
})
