import { describe, expect, test } from 'vitest'
import { SOL, TestRace } from '../../../test/support/contests/testRace.ts'
import { START_MS, valueIn } from '../../../test/support/contests/testWorld.ts'
import { modeStateView } from '../views/contests.ts'

/** The window opens 3 seconds after the lock; the first quarter of 20 seconds is over 5 later. */
const STARTS_AT = START_MS + 3000
const QUARTER_SEC = 5

function race(): TestRace {
  const made = new TestRace('last_bag_standing', { params: { token: SOL } })
  made.set([[SOL, '100']])
  return made
}

/** Alice and Bob against Carol and Dave, from the moment bags can be filled. */
function teamRace() {
  const { world, ids } = race()
  const [carol, dave] = [world.agent('carol'), world.agent('dave')]
  const lobby = { format: 'lobby', capacity: 4, teamSize: 2, side: 'T1' } as const
  const contestId = world.create(ids.alice, { mode: 'last_bag_standing', durationSec: 20, ...lobby, params: { token: SOL } })
  world.join(ids.bob, contestId, 'T1')
  for (const id of [carol, dave]) world.join(id, contestId, 'T2')
  world.ready(contestId, ids.alice, ids.bob, carol, dave)
  world.pass(3)
  return { world, ids, carol, dave, contestId }
}

describe('last_bag_standing', () => {
  test('both stand at the end: the bag of the highest value wins', () => {
    const game = race()
    game.buy('alice', SOL, '10')
    game.buy('bob', SOL, '12')
    game.world.pass(QUARTER_SEC)
    game.sell('bob', SOL, '3') // 9 of 12 left
    game.set([[SOL, '110']])
    expect(game.end()).toEqual({ results: ['WIN', 'LOSS'], scores: ['31', '29.9'] }) // 20 s stood, and 11 or 9.90 USD
  })

  test('no bag when the first quarter ends: out, and the only one standing wins at once', () => {
    const game = race()
    game.buy('alice', SOL, '10')
    game.world.pass(QUARTER_SEC - 0.001)
    expect(game.contest.status).toBe('live')
    expect(game.end(0.001)).toEqual({ results: ['WIN', 'LOSS'], scores: ['15', null] })
    expect(game.contest.endedAt).toBe(STARTS_AT + 5000)
  })

  test('a team stands as long as the last of its members', () => {
    const { world, ids, carol, dave, contestId } = teamRace()
    world.trade(ids.alice, contestId, { buy: SOL, usd: '5' })
    for (const id of [ids.bob, carol, dave]) world.trade(id, contestId, { buy: SOL, usd: '10' })
    const gone = { sell: SOL, usd: '9' } as const
    world.pass(6)
    world.trade(ids.bob, contestId, gone)
    world.pass(10)
    world.trade(carol, contestId, gone)
    world.pass(3)
    world.trade(dave, contestId, gone)
    // Bob was out first of all, and Alice's bag is the smallest: it is the only one that stands.
    expect(world.contest(contestId).entries.map(({ result, score }) => [result, score])).toEqual([
      ['WIN', '24'],
      ['WIN', '19'],
      ['LOSS', '19'],
      ['LOSS', '19'],
    ])
  })

  test('a team whose one bag is the last that stands wins, though the other member swapped nothing', () => {
    const { world, ids, carol, dave, contestId } = teamRace()
    for (const id of [ids.alice, carol, dave]) world.trade(id, contestId, { buy: SOL, usd: '10' })
    world.pass(6)
    for (const id of [carol, dave]) world.trade(id, contestId, { sell: SOL, usd: '9' })
    expect(world.contest(contestId).entries.map(({ result, score }) => [result, score])).toEqual([
      ['WIN', '16'],
      ['WIN', '6'],
      ['LOSS', '6'],
      ['LOSS', '6'],
    ])
  })

  test('a bag that was sold before the quarter ends is none', () => {
    const game = race()
    game.buy('alice', SOL, '10')
    game.sell('alice', SOL, '10')
    game.buy('bob', SOL, '1')
    expect(game.end()).toEqual({ results: ['LOSS', 'WIN'], scores: ['5', '6'] })
  })

  test('half of the first bag stands, less does not', () => {
    const game = race()
    game.buy('alice', SOL, '10')
    game.buy('bob', SOL, '10')
    game.sell('bob', SOL, '6') // the first quarter is free
    game.world.pass(QUARTER_SEC)
    game.sell('bob', SOL, '2')
    expect(game.contest.status).toBe('live')
    game.world.pass(2)
    game.sell('alice', SOL, '5.000001')
    expect(game.end(0)).toEqual({ results: ['LOSS', 'WIN'], scores: ['7', '9'] })
    expect(game.contest.endedAt).toBe(STARTS_AT + 7000)
  })

  test('who is out stays out, in a lobby of more: later out ranks higher', () => {
    const game = race()
    const { world, ids } = game
    const carol = world.agent('carol')
    const contestId = world.create(ids.alice, {
      mode: 'last_bag_standing',
      durationSec: 20,
      format: 'lobby',
      capacity: 3,
      params: { token: SOL, payouts: [3, 2, 1] },
    })
    world.join(ids.bob, contestId)
    world.join(carol, contestId)
    world.ready(contestId, ids.alice, ids.bob, carol)
    world.pass(3)
    for (const agent of [ids.alice, ids.bob, carol]) world.trade(agent, contestId, { buy: SOL, usd: '10' })
    world.pass(6)
    world.trade(ids.alice, contestId, { sell: SOL, usd: '9' })
    world.trade(ids.alice, contestId, { buy: SOL, usd: '90' })
    world.pass(1)
    world.trade(ids.bob, contestId, { sell: SOL, usd: '9' })
    const { status, entries } = world.contest(contestId)
    expect(status).toBe('settled')
    const { bags } = valueIn(modeStateView(world.state, contestId, carol))
    expect(bags).toMatchObject([
      { standing: false, outAt: '2025-07-21T12:00:12.000Z' },
      { standing: false, outAt: '2025-07-21T12:00:13.000Z' },
      { standing: true, outAt: null },
    ])
    expect(entries.map(({ score, payout }) => [score, payout])).toEqual([
      ['6', 475_000n],
      ['7', 950_000n],
      ['17', 1_425_000n],
    ])
  })

  test('nobody has a bag: those who swapped share; nobody swapped: all are refunded', () => {
    const game = race()
    for (const player of ['alice', 'bob'] as const) {
      game.buy(player, SOL, '10')
      game.sell(player, SOL, '10')
    }
    expect(game.end().results).toEqual(['DRAW', 'DRAW'])
    expect(race().end().results).toEqual(['REFUND', 'REFUND'])
  })

  test('the view: the deadline, and every bag with what it was first', () => {
    const game = race()
    expect(game.view('alice')).toMatchObject({ phase: 'filling', bagBy: '2025-07-21T12:00:08.000Z' })
    game.buy('alice', SOL, '10')
    game.buy('bob', SOL, '20')
    game.world.pass(QUARTER_SEC)
    game.buy('alice', SOL, '5')
    const bags = [
      { userId: game.ids.alice, amount: '150000000', first: '100000000', standing: true, outAt: null },
      { userId: game.ids.bob, amount: '200000000', first: '200000000', standing: true, outAt: null },
    ]
    expect(game.view('bob')).toMatchObject({ phase: 'holding', bags })
  })
})
