import { SOL_MINT, tokenOf, USDC_MINT, usdc } from 'cornerman'
import { expectConformance, TraderUnderTest, type TraderWorld } from 'cornerman/testing'
import { describe, expect, test } from 'vitest'
import holder from './holder.ts'

const JUP = tokenOf('JUP')
const start = (world: TraderWorld = {}) =>
  new TraderUnderTest(holder({ amount: usdc('10') }), { history: [100], contest: { token: SOL_MINT }, ...world })
const bag = { type: 'swap', from: USDC_MINT, to: SOL_MINT, amount: usdc('10') }

describe('holder', () => {
  test('keeps the contract of a strategy', () => expectConformance(holder()))

  test('buys the token of the contest at once, before the next price', () => {
    expect(start().swaps).toEqual([bag])
    if (JUP === undefined) throw new Error('JUP is not known')
    expect(start({ contest: { token: JUP.mint } }).swaps).toEqual([{ ...bag, to: JUP.mint }])
  })

  test('holds it to the end, wherever the price goes', () => {
    const trader = start()
    trader.fill()
    expect(trader.tick(150, 50, 1, 1000)).toEqual([])
    expect(trader.held()).toBe(100_000_000n)
  })

  test('tries again at once after a failure, and later after a refusal', () => {
    const trader = start()
    trader.fail()
    expect(trader.swaps).toEqual([bag, bag])
    expect(trader.tick(100)).toEqual([])
    trader.refuse()
    expect(trader.tick(100, 100, 100, 100)).toEqual([])
    expect(trader.tick(100)).toEqual([bag])
  })

  test('does not ask twice while the first purchase is under way', () => {
    expect(start().tick(100, 100, 100)).toEqual([])
  })

  test('asks for no more than there is, and waits until that is known', () => {
    expect(start({ available: usdc('3') }).swaps).toEqual([{ ...bag, amount: usdc('3') }])
    const trader = start({ available: undefined })
    expect(trader.swaps).toEqual([])
    trader.available = usdc('20')
    expect(trader.tick(100)).toEqual([bag])
  })

  test('holds nothing in a contest that does not say its token, and says so', () => {
    const trader = start({ contest: {} })
    expect(trader.tick(100)).toEqual([])
    expect(trader.ended).toBe(true)
    expect(trader.warnings).toEqual(['the contest does not say its token: nothing to hold'])
  })
})
