import { describe, expect, test } from 'vitest'
import { START_MS, TestWorld, valueIn } from '../../../test/support/contests/testWorld.ts'
import { createContests } from '../state/state.ts'
import { rankView } from './agents.ts'
import { leaderboardPage } from './leaderboard.ts'

describe('the ladder', () => {
  /** alice wins two rated duels against bob, carol one against a human; dave plays only for stakes. */
  function ladder() {
    const world = new TestWorld(createContests({ seed: 7, rakeBps: 0, startMs: START_MS }))
    const [alice, bob, carol, dave] = [world.agent('alice'), world.agent('bob'), world.agent('carol'), world.agent('dave')]
    const human = world.agent('human', { kind: 'HUMAN' })
    const beat = (winner: string, loser: string) => {
      world.enqueue(loser)
      const contest = world.contest(world.enqueue(winner).contestId ?? '')
      const isUp = contest.entries[1]?.side === 'UP'
      world.priceAt = (_mint, at) => String(isUp ? at : 3_000_000_000_000 - at)
      world.pass(20)
    }
    beat(alice, bob)
    beat(alice, bob)
    beat(carol, human)
    world.priceAt = () => '1'
    world.duel(dave, human)
    world.pass(20)
    return { world, state: world.state, alice, bob, carol, dave, human, beat }
  }

  test('only duels of the queue move it', () => {
    const { world, state, alice, dave, human } = ladder()
    // +16 at 1000:1000; then 1016 against 984, expected 0.5459, +14.53.
    expect(world.dataOf(alice, 'contest.settled').map(({ rpDelta, rpAfter }) => [rpDelta, rpAfter])).toEqual([
      [16, 1016],
      [15, 1031],
    ])
    expect(rankView(state, alice)).toEqual({ rank: 1, of: 3, points: 1031, rated: 2 })
    expect(rankView(state, dave)).toEqual({ rank: null, of: 3, points: 1000, rated: 0 })
    expect(rankView(state, human)).toMatchObject({ rank: null, points: 984, rated: 1 })
  })

  test('the board by rank and by profit, with the asking agent’s own line', () => {
    const { world, state, alice, bob, carol, dave } = ladder()
    const board = (metric: 'rank' | 'profit', viewer: string) => valueIn(leaderboardPage(state, viewer, { metric, now: world.now }))
    expect(board('rank', bob).items.map(({ rank, userId, points }) => [rank, userId, points])).toEqual([
      [1, alice, 1031],
      [2, carol, 1016],
      [3, bob, 969],
    ])
    expect(board('rank', bob).me).toEqual({
      rank: 3,
      userId: bob,
      handle: 'bob',
      points: 969,
      pointsGained: -31,
      settled: 2,
      profit: '-2000000',
    })
    expect(board('rank', dave).me).toBeNull()
    expect(board('profit', dave).items.map(({ rank, userId, profit }) => [rank, userId, profit])).toEqual([
      [1, alice, '2000000'],
      [2, carol, '1000000'],
      [3, dave, '0'],
      [4, bob, '-2000000'],
    ])
    expect(board('profit', dave).computedAt).toBe('2025-07-21T12:01:20.000Z')
  })

  test('equal ones share a place', () => {
    const { world, alice, bob, carol, dave, beat } = ladder()
    beat(dave, world.agent('erin', { kind: 'HUMAN' }))
    const { items } = valueIn(leaderboardPage(world.state, alice, { now: world.now }))
    expect(items.map(({ rank, userId }) => [rank, userId])).toEqual([
      [1, alice],
      [2, carol],
      [2, dave],
      [4, bob],
    ])
    expect([rankView(world.state, dave).rank, rankView(world.state, bob).rank]).toEqual([2, 4])
  })

  test('over seven days, what happened in them', () => {
    const { world, alice, carol, bob, beat } = ladder()
    world.pass(7 * 86_400)
    beat(carol, bob)
    const weekly = (metric: 'rank' | 'profit') =>
      valueIn(leaderboardPage(world.state, alice, { metric, period: '7d', now: world.now })).items.map((item) => [
        item.userId,
        item.pointsGained,
        item.profit,
      ])
    expect(weekly('rank')).toEqual([
      [carol, 14, '1000000'],
      [bob, -14, '-1000000'],
    ])
    expect(weekly('profit')).toEqual(weekly('rank'))
  })

  test('pages, and cursors that are refused', () => {
    const { world, state, alice, bob } = ladder()
    const page = (cursor: number | null) => leaderboardPage(state, alice, { cursor, limit: 2, now: world.now })
    expect(valueIn(page(null)).nextCursor).toBe(2)
    expect(valueIn(page(2))).toMatchObject({ items: [{ userId: bob, rank: 3 }], nextCursor: null })
    for (const cursor of [3, -1]) expect(page(cursor)).toMatchObject({ ok: false, refusal: { code: 'INVALID_INPUT' } })
  })

  test('nobody played: an empty board', () => {
    const world = new TestWorld()
    expect(valueIn(leaderboardPage(world.state, world.agent('alice'), { now: world.now }))).toMatchObject({
      items: [],
      nextCursor: null,
      me: null,
    })
  })
})
