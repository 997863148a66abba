import { tokenOf, usdc } from 'cornerman'
import { expectConformance, type TraderMarblesOptions, traderMarbles } from 'cornerman/testing'
import { describe, expect, test } from 'vitest'
import meanReversion from './meanReversion.ts'

/** About 100, ten seconds long: the bands lie at 98.5 and 101.5, or so. */
const history = [100, 101, 99, 100, 101, 99, 100, 101, 99, 100, 100]
const values = { a: 100, l: 98, k: 97, j: 94, m: 99.5, u: 101 }

const play = (prices: string, options: Partial<TraderMarblesOptions> = {}, params: Parameters<typeof meanReversion>[0] = {}) =>
  traderMarbles(meanReversion({ interval: 8, ...params }), { prices, values, history, ...options })

describe('meanReversion', () => {
  test('keeps the contract of a strategy', () => expectConformance(meanReversion()))

  test('buys under the lower band, and sells all of it at the average', () => {
    const { swaps, asked, held } = play('a-l-m-a|')
    expect(swaps).toBe('--b-s--|')
    expect(asked[0]?.amount).toBe(usdc('10'))
    expect(held).toBe(0n)
  })

  test('asks for a deeper fall where the bands are wider', () => {
    expect(play('a-l|', {}, { deviations: 1.5 }).swaps).toBe('--b|')
    expect(play('a-l|', {}, { deviations: 6 }).swaps).toBe('---|')
  })

  test('holds what does not come back', () => {
    const { swaps, held } = play('a-lkkkkk|')
    expect(swaps).toBe('--b-----|')
    expect(held).toBeGreaterThan(0n)
  })

  test('buys wherever the price is when most of the time is over, once', () => {
    expect(play('aaaaaaaaaaaaaau').swaps).toBe('------------b-s')
    expect(play('a-l-m-aaaaaaaaaaaa').swaps).toBe('--b-s-------------')
  })

  test('without a past it waits for its bands', () => {
    expect(play('alllllll', { history: [] }).swaps).toBe('--------')
  })

  test('has its bands as soon where prices come more seldom', () => {
    expect(play('-a-u-a-j', { history: [] }, { interval: 4 }).swaps).toBe('-------b')
  })

  test('tries a failed swap again at the next price, and a refused one later', () => {
    expect(play('a-lkj-', { outcomes: 'xx' }).swaps).toBe('--bbb-')
    expect(play('a-lkjjjj', { outcomes: 'r' }).swaps).toMatch(/^--b----/)
  })

  test('trades the token of the contest, and never asks for more than there is', () => {
    const JUP = tokenOf('JUP')
    const { asked } = play('a-l', { token: JUP, contest: { token: JUP?.mint }, available: usdc('4') })
    expect(asked).toMatchObject([{ to: JUP?.mint, amount: usdc('4') }])
    expect(play('a-l', { available: undefined }).asked).toEqual([])
  })
})
