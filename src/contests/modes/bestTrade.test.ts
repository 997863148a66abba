import { describe, expect, test } from 'vitest'
import { JUP, SOL, TestRace, WIF } from '../../../test/support/contests/testRace.ts'
import { USDC_MINT } from '../../core/tokens.ts'

function race(): TestRace {
  const made = new TestRace('best_trade')
  made.set([
    [SOL, '100'],
    [JUP, '1'],
    [WIF, '1'],
  ])
  return made
}

describe('best_trade', () => {
  test('one good round trip beats many fair ones', () => {
    const game = race()
    game.buy('alice', SOL, '10')
    game.buy('alice', JUP, '100')
    game.buy('bob', WIF, '50')
    game.set([
      [SOL, '103'],
      [JUP, '0.5'],
      [WIF, '1.02'],
    ])
    game.sell('alice', SOL, '10.3')
    game.sell('bob', WIF, '51')
    expect(game.end()).toEqual({ results: ['WIN', 'LOSS'], scores: ['0.03', '0.02'] })
  })

  test('sales take the oldest purchase first', () => {
    const game = race()
    game.buy('alice', SOL, '10') // 0.1 at 100
    game.set([[SOL, '50']])
    game.buy('alice', SOL, '5') // 0.1 at 50
    game.set([[SOL, '110']])
    game.sell('alice', SOL, '16.5') // 0.15: all of the first, half of the second
    game.set([[SOL, '60']])
    // the first: 11 for 10; the second: 5.50 and 0.05 SOL left, 3, for 5
    expect(game.end().scores[0]).toBe('0.7')
  })

  test('a token for a token: sold at its price of then, which is what the other one cost', () => {
    const game = race()
    game.buy('alice', SOL, '10')
    game.set([[SOL, '120']])
    game.world.swap(game.ids.alice, [SOL, 10n ** 8n], [JUP, 11_900_000n], game.contestId) // 12 for 11.90
    game.set([[JUP, '1.1']])
    // SOL: 12 for 10; JUP: 13.09 for 12
    expect(game.view('alice')).toMatchObject({
      positions: [{ token: JUP, amount: '11900000', cost: '12000000', proceeds: '0' }],
      traders: [{ fills: 2, best: { token: SOL, cost: '10000000', proceeds: '12000000', pnl: '2000000', return: '0.2' } }, { best: null }],
    })
    expect(game.end().scores[0]).toBe('0.2')
  })

  test('a sale for USDC counts at the USDC it brought', () => {
    const game = race()
    game.buy('alice', SOL, '10')
    game.world.swap(game.ids.alice, [SOL, 10n ** 8n], [USDC_MINT, 9_900_000n], game.contestId)
    expect(game.end().scores[0]).toBe('-0.01')
  })

  test('two purchases in one transaction share its cost by their prices', () => {
    const game = race()
    game.world.run({
      type: 'fill',
      agentId: game.ids.alice,
      contestId: game.contestId,
      signature: 'both',
      feeLamports: 0n,
      changes: [
        { mint: USDC_MINT, delta: -40_000_000n },
        { mint: SOL, delta: 10n ** 8n },
        { mint: JUP, delta: 30_000_000n },
      ],
    })
    expect(game.view('alice').positions).toMatchObject([
      { token: SOL, cost: '10000000' },
      { token: JUP, cost: '30000000' },
    ])
  })

  test('a token from the wallet begins no round trip', () => {
    const game = race()
    game.world.accept({ type: 'depositToken', agentId: game.ids.alice, mint: SOL, amount: 10n ** 9n })
    game.sell('alice', SOL, '50')
    expect(game.end().results).toEqual(['REFUND', 'REFUND'])
  })

  test('no price of a token held at endsAt: cancelled', () => {
    const game = race()
    game.buy('alice', SOL, '10')
    game.set([[SOL, null]])
    game.end()
    expect(game.contest.cancelReason).toBe('no_price')
  })
})
