import { describe, expect, test } from 'vitest'
import { JUP, SOL, TestRace } from '../../../test/support/contests/testRace.ts'
import { USDC_MINT } from '../../core/tokens.ts'

function race(): TestRace {
  const made = new TestRace('pnl_race_pct')
  made.set([
    [SOL, '200'],
    [JUP, '0.5'],
  ])
  return made
}

describe('pnl_race_pct', () => {
  test('profit ÷ what was brought in: what comes out of a swap is used again first', () => {
    const game = race()
    game.buy('alice', SOL, '10')
    game.buy('bob', SOL, '20')
    game.set([[SOL, '210']])
    game.sell('alice', SOL, '10.5') // all of it: 0.05 SOL
    game.buy('alice', JUP, '12') // 10.50 of it is there, 1.50 is brought in
    game.set([[JUP, '0.525']])
    // alice: 12.60 for 11.50 brought in; bob: 21 for 20
    expect(game.end()).toEqual({ results: ['WIN', 'LOSS'], scores: ['0.095652173913043478', '0.05'] })
  })

  test('a token from the wallet is brought in at its price of then', () => {
    const game = race()
    game.world.accept({ type: 'depositToken', agentId: game.ids.alice, mint: SOL, amount: 10n ** 9n })
    game.sell('alice', SOL, '100') // 0.5 SOL of 1 that was there before
    game.set([[SOL, '100']])
    expect(game.end()).toEqual({ results: ['WIN', 'LOSS'], scores: ['0', null] })
  })

  test('a swap that gets less than its price has lost the difference', () => {
    const game = race()
    game.world.swap(game.ids.alice, [USDC_MINT, 10_000_000n], [SOL, 49_000_000n], game.contestId) // 9.80 of SOL for 10
    expect(game.end().scores).toEqual(['-0.02', null])
  })

  test('a loss beats no swap at all; nobody swaps: all are refunded', () => {
    const game = race()
    game.buy('bob', SOL, '10')
    game.set([[SOL, '1']])
    expect(game.end()).toEqual({ results: ['LOSS', 'WIN'], scores: [null, '-0.995'] })
    expect(race().end().results).toEqual(['REFUND', 'REFUND'])
  })

  test('equal returns draw, however much was traded', () => {
    const game = race()
    game.buy('alice', SOL, '10')
    game.buy('bob', SOL, '500')
    game.set([[SOL, '200.01']])
    expect(game.end().results).toEqual(['DRAW', 'DRAW'])
  })

  test('no price of a token held at endsAt: cancelled; of one that was sold: not needed', () => {
    const held = race()
    held.buy('alice', SOL, '10')
    held.set([[SOL, null]])
    held.end()
    expect(held.contest).toMatchObject({ status: 'cancelled', cancelReason: 'no_price' })
    const sold = race()
    sold.buy('alice', SOL, '10')
    sold.sell('alice', SOL, '10')
    sold.set([[SOL, null]])
    expect(sold.end().results).toEqual(['WIN', 'LOSS'])
  })

  test('the view: own positions, everyone’s figures, the profit once valued', () => {
    const game = race()
    expect(game.view('alice')).toMatchObject({ phase: 'running', positions: [], markedAt: null })
    game.buy('alice', SOL, '10')
    game.set([[SOL, '190']])
    const { entries } = game.contest
    const [alice, bob] = entries.map(({ entryId, agentId: userId }) => ({ entryId, userId }))
    const nothing = { fills: 0, deployed: '0', pnl: null, return: null }
    expect(game.view('alice')).toMatchObject({
      positions: [{ token: SOL, amount: '50000000' }],
      traders: [
        { ...alice, fills: 1, deployed: '10000000', pnl: null, return: null },
        { ...bob, ...nothing },
      ],
    })
    expect(game.view('bob')).toMatchObject({ positions: [] })
    game.end()
    expect(game.view('bob')).toMatchObject({
      phase: 'settled',
      markedAt: '2025-07-21T12:00:23.000Z',
      traders: [
        { ...alice, fills: 1, deployed: '10000000', pnl: '-500000', return: '-0.05' },
        { ...bob, ...nothing },
      ],
    })
  })

  test('is not played where there is no DEX', () => {
    expect(() => new TestRace('pnl_race_pct', { chain: 'robinhood' })).toThrow('CHAIN_NOT_TRADABLE')
  })

  test('a team has the mean of its members, and none when one of them swapped nothing', () => {
    const game = race()
    const { world, ids } = game
    const carol = world.agent('carol')
    const dave = world.agent('dave')
    const contestId = world.create(ids.alice, { mode: 'pnl_race_pct', format: 'lobby', capacity: 4, teamSize: 2, side: 'T1' })
    world.join(ids.bob, contestId, 'T1')
    world.join(carol, contestId, 'T2')
    world.join(dave, contestId, 'T2')
    world.ready(contestId, ids.alice, ids.bob, carol, dave)
    world.pass(3)
    for (const agent of [ids.alice, carol, dave]) world.trade(agent, contestId, { buy: SOL, usd: '10' })
    game.set([[SOL, '150']])
    world.pass(60)
    expect(world.contest(contestId).entries.map(({ result }) => result)).toEqual(['LOSS', 'LOSS', 'WIN', 'WIN'])
  })
})
