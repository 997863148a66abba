import { SOL_MINT, tokenOf, USDC_MINT, usdc } from 'cornerman'
import { expectConformance, TraderUnderTest, type TraderWorld } from 'cornerman/testing'
import { describe, expect, test } from 'vitest'
import crossover from './crossover.ts'

const FLAT = Array.from({ length: 12 }, () => 100)
const JUP = tokenOf('JUP')
if (JUP === undefined) throw new Error('JUP is not known')

const start = (world: TraderWorld = {}, params: Parameters<typeof crossover>[0] = {}) =>
  new TraderUnderTest(crossover({ fast: 2, slow: 4, amount: usdc('10'), opening: usdc('1'), ...params }), world)
const buying = (amount: string, to = SOL_MINT) => ({ type: 'swap', from: USDC_MINT, to, amount: usdc(amount) })
const selling = (amount: bigint, from = SOL_MINT) => ({ type: 'swap', from, to: USDC_MINT, amount })

/** A trader whose opening has been bought at 100, on a price that stands still. */
function opened(world: TraderWorld = {}, params: Parameters<typeof crossover>[0] = {}): TraderUnderTest {
  const trader = start({ history: FLAT, ...world }, params)
  trader.tick(100)
  trader.fill()
  return trader
}

describe('crossover', () => {
  test('keeps the contract of a strategy', () => expectConformance(crossover()))

  test('opens a small position at the first price, wherever the averages are', () => {
    expect(start({ history: FLAT }).tick(100)).toEqual([buying('1')])
    expect(start({ history: [108, 106, 104, 102, 100, 98] }).tick(96)).toEqual([buying('1')])
    expect(start().tick(100)).toEqual([buying('1')])
  })

  test('buys the rest when the fast average is above the slow one, by closed candles', () => {
    const trader = opened()
    expect(trader.tick(100, 101)).toEqual([])
    expect(trader.tick(101)).toEqual([buying('9')])
  })

  test('sells exactly what it holds when the fast average has fallen below, and buys it all anew when it is above', () => {
    const trader = opened()
    trader.tick(102, 102)
    trader.fill()
    const held = trader.held()
    expect(held).toBe(10_000_000n + 88_235_294n)
    expect(trader.tick(98)).toEqual([])
    expect(trader.tick(96, 96)).toEqual([selling(held)])
    trader.fill()
    expect(trader.held()).toBe(0n)
    expect(trader.tick(104, 104)).toEqual([buying('10')])
  })

  test('keeps the opening while the fast average is below', () => {
    expect(opened().tick(99, 98, 97, 96, 95, 94)).toEqual([])
  })

  test('knows the trend from the prices before the contest', () => {
    const trader = start({ history: [100, 101, 102, 103, 104, 105] })
    trader.tick(106)
    trader.fill()
    expect(trader.tick(107)).toEqual([buying('9')])
  })

  test('without a past waits until the slow average is known', () => {
    const trader = start()
    trader.tick(100)
    trader.fill()
    // Four candles are closed when the fifth begins.
    expect(trader.tick(101, 102, 103)).toEqual([])
    expect(trader.tick(104)).toEqual([buying('9')])
  })

  test('knows its averages as soon where prices come more seldom', () => {
    const trader = start()
    trader.tick(100)
    trader.fill()
    const twoLater = (price: number) => [...trader.wait(2), ...trader.price(price)]
    expect(twoLater(101)).toEqual([])
    expect(twoLater(102)).toEqual([buying('9')])
  })

  test('looks back over candles as long as it is told', () => {
    const past = [100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100]
    const trader = opened({ history: past }, { candleSec: 4 })
    // A candle of four seconds is at its close only when the next one begins.
    expect(trader.tick(101, 101)).toEqual([])
    expect(trader.tick(101)).toEqual([buying('9')])
  })

  test('trades with its defaults in a contest of 20 seconds, on a price that rises and falls', () => {
    const trader = new TraderUnderTest(crossover(), { history: FLAT })
    const prices = [100, 101, 102, 103, 104, 105, 106, 105, 104, 103, 102, 101, 100, 99, 98, 97, 96, 95, 94]
    const swaps = prices.flatMap((price) => {
      const asked = trader.tick(price)
      if (asked.length > 0) trader.fill()
      return asked
    })
    expect(swaps.map(({ to }) => (to === USDC_MINT ? 'sell' : 'buy'))).toEqual(['buy', 'buy', 'sell'])
  })

  test('trades the token of the contest, where it has one, and its own elsewhere', () => {
    const ofContest = start({ token: JUP, contest: { mode: 'same_token', token: JUP.mint } })
    expect(ofContest.tick(0.5)).toEqual([buying('1', JUP.mint)])
    expect(start({ token: JUP }, { token: JUP.mint }).tick(0.5)).toEqual([buying('1', JUP.mint)])
    expect(start({ contest: { token: SOL_MINT } }, { token: JUP.mint }).tick(100)).toEqual([buying('1')])
  })

  test('never asks for more than there is, and for nothing while it is not known', () => {
    const poor = opened({ available: usdc('4') })
    expect(poor.tick(102, 102)).toEqual([buying('3')])
    expect(start({ available: usdc('0.09') }).tick(100, 100)).toEqual([])
    const unknown = start({ available: undefined })
    expect(unknown.tick(100)).toEqual([])
    unknown.available = usdc('5')
    expect(unknown.tick(100)).toEqual([buying('1')])
  })

  test('waits for the outcome of a swap', () => {
    const trader = start({ history: FLAT })
    expect(trader.tick(100, 102, 104, 106)).toEqual([buying('1')])
    trader.fill()
    expect(trader.tick(108)).toEqual([buying('9')])
  })

  test('tries what failed again at the next price, and what was refused only later', () => {
    const trader = start()
    trader.tick(100)
    trader.fail()
    expect(trader.tick(100)).toEqual([buying('1')])
    trader.refuse()
    expect(trader.tick(100, 100, 100, 100)).toEqual([])
    expect(trader.tick(100)).toEqual([buying('1')])
  })

  test('takes no averages that cannot cross, and no opening that is most of the position', () => {
    expect(() => crossover({ fast: 8, slow: 8 })).toThrow('fast must be under slow')
    expect(() => crossover({ amount: usdc('2'), opening: usdc('1.01') })).toThrow('opening must be at most half of amount')
  })
})
