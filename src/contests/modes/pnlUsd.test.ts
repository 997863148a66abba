import { describe, expect, test } from 'vitest'
import { JUP, SOL, TestRace } from '../../../test/support/contests/testRace.ts'

describe('pnl_usd', () => {
  test('the most USD wins, whatever the return', () => {
    const game = new TestRace('pnl_usd')
    game.set([
      [SOL, '200'],
      [JUP, '0.5'],
    ])
    game.buy('alice', SOL, '10')
    game.buy('bob', JUP, '100')
    game.set([
      [SOL, '220'],
      [JUP, '0.51'],
    ])
    expect(game.end()).toEqual({ results: ['LOSS', 'WIN'], scores: ['1', '2'] })
  })

  test('what was sold counts at what it brought, what is held at the price of endsAt', () => {
    const game = new TestRace('pnl_usd')
    game.set([[SOL, '200']])
    game.buy('alice', SOL, '20') // 0.1 SOL
    game.set([[SOL, '300']])
    game.sell('alice', SOL, '15') // half of it
    game.set([[SOL, '100']])
    expect(game.end().scores).toEqual(['0', null]) // 15 + 5 − 20
  })
})
