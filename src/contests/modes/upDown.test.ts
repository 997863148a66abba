import { describe, expect, test } from 'vitest'
import { SOL, START_MS, TestWorld, valueIn } from '../../../test/support/contests/testWorld.ts'
import { usdc } from '../../core/usdc.ts'
import { auditContests } from '../audit/audit.ts'
import { modeStateView } from '../views/contests.ts'

/** SOL at `start` when the window opens, 3 seconds after the lock, and at `end` when it closes. */
function worldOf(start: string | null, end: string | null): TestWorld {
  const world = new TestWorld()
  world.priceAt = (mint, at) => (mint !== SOL ? '1' : at === START_MS + 3000 ? start : at === START_MS + 18_000 ? end : '999')
  return world
}

/** The results of alice on UP and bob on DOWN, and what they were paid. */
function duel(world: TestWorld) {
  const contestId = world.duel(world.agent('alice'), world.agent('bob'))
  world.pass(60)
  expect(auditContests(world.state)).toEqual([])
  return {
    contest: world.contest(contestId),
    seats: world.contest(contestId).entries.map(({ result, payout, score }) => [result, payout, score]),
  }
}

describe('up_down', () => {
  test('the price rose: UP takes 1.90', () => {
    expect(duel(worldOf('187.25', '187.250000000000000001')).seats).toEqual([
      ['WIN', 1_900_000n, '1'],
      ['LOSS', 0n, '0'],
    ])
  })

  test('the price fell: DOWN takes 1.90', () => {
    expect(duel(worldOf('187.25', '9')).seats).toEqual([
      ['LOSS', 0n, '0'],
      ['WIN', 1_900_000n, '1'],
    ])
  })

  test('unchanged: nobody is right, both share', () => {
    expect(duel(worldOf('187.25', '187.250')).seats).toEqual([
      ['DRAW', 950_000n, '0'],
      ['DRAW', 950_000n, '0'],
    ])
  })

  test.each([
    [null, '1', START_MS + 3000],
    ['0', '1', START_MS + 3000],
    ['1', null, START_MS + 18_000],
  ])('a price of %s at the start and %s at the end: cancelled and refunded', (start, end, endedAt) => {
    const world = worldOf(start, end)
    const { contest, seats } = duel(world)
    expect(contest).toMatchObject({ status: 'cancelled', cancelReason: 'no_price', endedAt })
    expect(seats).toEqual([
      [null, 1_000_000n, null],
      [null, 1_000_000n, null],
    ])
    expect(world.dataOf(world.agent('carol'), 'contest.cancelled')).toEqual([])
    expect(world.events.filter(({ type }) => type === 'contest.cancelled').map(({ data }) => data)).toEqual([
      { contestId: contest.contestId, status: 'cancelled', reason: 'no_price', refunded: '1000000' },
      { contestId: contest.contestId, status: 'cancelled', reason: 'no_price', refunded: '1000000' },
    ])
    expect(world.state.rake).toBe(0n)
  })

  describe('a lobby', () => {
    const lobby = (world: TestWorld, sides: readonly string[]) => {
      const agents = sides.map((_, seat) => world.agent(`agent ${seat}`))
      const contestId = world.create(agents[0] ?? '', { format: 'lobby', capacity: sides.length, side: sides[0] ?? null })
      for (const [seat, agent] of agents.entries()) if (seat > 0) world.join(agent, contestId, sides[seat] ?? null)
      world.ready(contestId, ...agents)
      world.pass(60)
      expect(auditContests(world.state)).toEqual([])
      return world.contest(contestId).entries.map(({ result, payout }) => [result, payout])
    }

    test('the side that was right wins, and divides 2.85 by two', () => {
      expect(lobby(worldOf('10', '11'), ['UP', 'DOWN', 'UP'])).toEqual([
        ['WIN', 1_425_000n],
        ['LOSS', 0n],
        ['WIN', 1_425_000n],
      ])
    })

    test('unchanged: every seat shares alike', () => {
      expect(lobby(worldOf('10', '10'), ['UP', 'DOWN', 'UP'])).toEqual([
        ['DRAW', 950_000n],
        ['DRAW', 950_000n],
        ['DRAW', 950_000n],
      ])
    })

    test('all on one side: nobody to beat, a draw, right or wrong', () => {
      expect(lobby(worldOf('10', '11'), ['UP', 'UP'])).toEqual([
        ['DRAW', 950_000n],
        ['DRAW', 950_000n],
      ])
      expect(lobby(worldOf('10', '9'), ['UP', 'UP'])).toEqual([
        ['DRAW', 950_000n],
        ['DRAW', 950_000n],
      ])
    })
  })

  test('it has no moves', () => {
    const world = worldOf('1', '1')
    const alice = world.agent('alice')
    const contestId = world.duel(alice, world.agent('bob'))
    const move = { type: 'draftPick', token: SOL } as const
    expect(world.refusalOf({ type: 'move', agentId: alice, contestId, move })).toBe('INVALID_INPUT')
  })

  test('its state shows the phase and the prices as they become known', () => {
    const world = worldOf('187.25', '188')
    const alice = world.agent('alice')
    const contestId = world.create(alice, { stake: usdc('2') })
    const state = () => valueIn(modeStateView(world.state, contestId, alice))
    expect(state()).toMatchObject({ phase: 'open', startsAt: null, entryId: world.entryId(contestId, alice) })
    const bob = world.agent('bob')
    world.join(bob, contestId)
    world.ready(contestId, alice, bob)
    expect(state()).toMatchObject({ phase: 'waiting', token: SOL, startPrice: null, startsAt: '2025-07-21T12:00:03.000Z' })
    world.pass(3)
    expect(state()).toMatchObject({ phase: 'running', startPrice: '187.25', endPrice: null, endsAt: '2025-07-21T12:00:18.000Z' })
    world.pass(15)
    expect(state()).toMatchObject({ phase: 'settled', startPrice: '187.25', endPrice: '188' })
  })
})
