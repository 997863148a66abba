import { describe, expect, test } from 'vitest'
import { busyWorld } from '../../../test/support/contests/busyWorld.ts'
import { SOL, TestWorld, valueIn } from '../../../test/support/contests/testWorld.ts'
import { contestsOf, contestView, modeStateView } from './contests.ts'
import { contestsInPlay, queuedTickets } from './inPlay.ts'

describe('contests', () => {
  test('an open one, whole', () => {
    const { world, state, alice, open } = busyWorld()
    const [entry] = world.contest(open).entries
    expect(valueIn(contestView(state, open, alice))).toEqual({
      contestId: open,
      mode: 'up_down',
      chain: 'solana',
      format: 'duel',
      status: 'open',
      stake: '3000000',
      durationSec: 15,
      capacity: 2,
      filled: 1,
      lane: 'MIXED',
      visibility: 'public',
      params: { token: SOL },
      startsAt: null,
      endsAt: null,
      entries: [{ entryId: entry?.entryId, userId: alice, kind: 'AGENT', side: 'UP', ready: false, score: null }],
      you: { entryId: entry?.entryId, side: 'UP', ready: false },
    })
  })

  test('not found', () => {
    const { state, alice } = busyWorld()
    expect(contestView(state, 'none', alice)).toMatchObject({ refusal: { code: 'NOT_FOUND' } })
    expect(modeStateView(state, 'none', alice)).toMatchObject({ refusal: { code: 'NOT_FOUND' } })
  })

  test('mine: open and live, newest first', () => {
    const { state, alice, bob, live, prediction, open } = busyWorld()
    expect(contestsOf(state, alice).map(({ contestId }) => contestId)).toEqual([open, prediction, live])
    expect(contestsOf(state, bob).map(({ contestId }) => contestId)).toEqual([prediction, live])
  })

  test('a hidden one names nobody else until it has ended, in its mode state too', () => {
    const world = new TestWorld()
    const [alice, bob] = [world.agent('alice'), world.agent('bob')]
    const contestId = world.duel(alice, bob, { mode: 'draft_basket', params: { hidden: true } })
    const usersOf = () => valueIn(contestView(world.state, contestId, alice)).entries.map(({ userId }) => userId)
    expect(usersOf()).toEqual([alice, null])
    expect(JSON.stringify(valueIn(modeStateView(world.state, contestId, alice)))).not.toContain(bob)
    world.pass(60)
    expect(usersOf()).toEqual([alice, bob])
    expect(JSON.stringify(valueIn(modeStateView(world.state, contestId, alice)))).toContain(bob)
  })

  test('for the shell: all in play in order of creation, and the queue', () => {
    const { state, live, prediction, open, ticketId } = busyWorld()
    expect(contestsInPlay(state).map(({ contestId }) => contestId)).toEqual([live, prediction, open])
    expect([...queuedTickets(state)].map((ticket) => ticket.ticketId)).toEqual([ticketId])
  })
})
