import { describe, expect, test } from 'vitest'
import { JUP, SOL, TestRace } from '../../../test/support/contests/testRace.ts'
import { USDC_MINT } from '../../core/tokens.ts'

describe('same_token', () => {
  test('the highest return on params.token wins', () => {
    const game = new TestRace('same_token', { params: { token: JUP } })
    game.set([[JUP, '0.5']])
    game.buy('alice', JUP, '10')
    game.set([[JUP, '0.4']])
    game.buy('bob', JUP, '10')
    game.set([[JUP, '0.45']])
    expect(game.end()).toEqual({ results: ['LOSS', 'WIN'], scores: ['-0.1', '0.125'] })
  })

  test('another token is refused, and moves nothing', () => {
    const game = new TestRace('same_token', { params: { token: JUP } })
    const { world, ids, contestId } = game
    expect(world.swap(ids.alice, [USDC_MINT, 1n], [SOL, 1n], contestId)).toMatchObject({
      ok: false,
      refusal: { code: 'TOKEN_NOT_ALLOWED' },
    })
    expect(game.end().results).toEqual(['REFUND', 'REFUND'])
  })

  test('a token is drawn where none is named', () => {
    const { params } = new TestRace('same_token', { params: {} }).contest
    expect(params).toEqual({ token: expect.stringMatching(/^[1-9A-HJ-NP-Za-km-z]{32,44}$/) })
  })
})
