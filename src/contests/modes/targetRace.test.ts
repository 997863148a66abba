import { describe, expect, test } from 'vitest'
import { JUP, SOL, TestRace } from '../../../test/support/contests/testRace.ts'
import { START_MS } from '../../../test/support/contests/testWorld.ts'
import { nextDue } from '../due.ts'

/** The window opens 3 seconds after the lock. */
const STARTS_AT = START_MS + 3000

function race(targetPct = 5): TestRace {
  const made = new TestRace('target_race', { params: { targetPct } })
  made.set([
    [SOL, '100'],
    [JUP, '1'],
  ])
  return made
}

describe('target_race', () => {
  test('the first at the target ends it at the next whole second, and wins', () => {
    const game = race()
    game.world.pass(2.4)
    game.buy('alice', SOL, '10')
    game.buy('bob', JUP, '10')
    game.world.pass(2)
    game.set([[SOL, '105']])
    game.world.pass(0.5)
    expect(game.contest.status).toBe('live')
    expect(game.end(0.1)).toEqual({ results: ['WIN', 'LOSS'], scores: ['0.05', '0'] })
    expect(game.contest.endedAt).toBe(STARTS_AT + 5000)
  })

  test('just under the target goes on; nobody there at endsAt: the highest return wins', () => {
    const game = race()
    game.buy('alice', SOL, '10')
    game.buy('bob', JUP, '10')
    game.set([
      [SOL, '104.999999'],
      [JUP, '1.049'],
    ])
    expect(game.end()).toEqual({ results: ['WIN', 'LOSS'], scores: ['0.04999999', '0.049'] })
    expect(game.contest.endedAt).toBe(STARTS_AT + 20_000)
  })

  test('two in the same second: the higher return', () => {
    const game = race()
    game.buy('alice', SOL, '10')
    game.buy('bob', JUP, '10')
    game.set([
      [SOL, '106'],
      [JUP, '1.07'],
    ])
    expect(game.end().results).toEqual(['LOSS', 'WIN'])
  })

  test('a profit that was taken counts, with nothing held', () => {
    const game = race()
    game.buy('alice', SOL, '10')
    game.set([[SOL, '106']])
    game.world.pass(0.3)
    game.sell('alice', SOL, '10.6')
    expect(game.end(1).scores).toEqual(['0.06', null])
  })

  test('is looked at while a token is held, and once after a swap', () => {
    const game = race()
    const dueSec = () => ((nextDue(game.world.state) ?? 0) - STARTS_AT) / 1000
    expect(dueSec()).toBe(20)
    game.buy('alice', SOL, '10')
    expect(dueSec()).toBe(1)
    game.world.pass(2.5)
    expect(dueSec()).toBe(3)
    game.sell('alice', SOL, '10')
    expect(dueSec()).toBe(3)
    game.world.pass(0.5)
    expect(dueSec()).toBe(20)
    game.buy('alice', SOL, '10') // at the very instant of a check, which came first
    expect(dueSec()).toBe(4)
  })

  test('a price that is missing along the way cancels it', () => {
    const game = race()
    game.buy('alice', SOL, '10')
    game.set([[SOL, null]])
    game.world.pass(1)
    expect(game.contest).toMatchObject({ status: 'cancelled', cancelReason: 'no_price' })
  })

  test('a team is there when the mean of its members is', () => {
    const game = race()
    const { world, ids } = game
    const [carol, dave] = [world.agent('carol'), world.agent('dave')]
    const form = { format: 'lobby', capacity: 4, teamSize: 2, side: 'T1', params: { targetPct: 5 } } as const
    const contestId = world.create(ids.alice, { mode: 'target_race', ...form })
    for (const [agent, side] of [
      [ids.bob, 'T1'],
      [carol, 'T2'],
      [dave, 'T2'],
    ] as const)
      world.join(agent, contestId, side)
    world.ready(contestId, ids.alice, ids.bob, carol, dave)
    world.pass(3)
    world.trade(ids.alice, contestId, { buy: SOL, usd: '10' })
    world.trade(ids.bob, contestId, { buy: JUP, usd: '10' })
    game.set([[SOL, '108']])
    world.pass(1)
    expect(world.contest(contestId).status).toBe('live')
    game.set([[JUP, '1.02']])
    world.pass(1)
    expect(world.contest(contestId).entries.map(({ result }) => result)).toEqual(['WIN', 'WIN', 'LOSS', 'LOSS'])
  })

  test('the view has the target', () => {
    expect(race(2.5).view('bob')).toMatchObject({ phase: 'running', targetPct: 2.5 })
    expect(new TestRace('target_race').view('alice')).toMatchObject({ targetPct: 1 })
  })
})
