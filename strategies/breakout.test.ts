import { SOL_MINT, tokenOf, USDC_MINT, usdc } from 'cornerman'
import { expectConformance, TraderUnderTest, type TraderWorld } from 'cornerman/testing'
import { describe, expect, test } from 'vitest'
import breakout from './breakout.ts'

/** Between 98 and 102, ten seconds long. */
const SIDEWAYS = [100, 102, 100, 98, 100, 101, 100, 99, 100, 100, 100]
const JUP = tokenOf('JUP')
if (JUP === undefined) throw new Error('JUP is not known')

const start = (world: TraderWorld = {}, params: Parameters<typeof breakout>[0] = {}) =>
  new TraderUnderTest(breakout({ channelSec: 10, stopSec: 3, amount: usdc('10'), ...params }), { history: SIDEWAYS, ...world })
const buying = (amount: string, to = SOL_MINT) => ({ type: 'swap', from: USDC_MINT, to, amount: usdc(amount) })
const selling = (amount: bigint) => ({ type: 'swap', from: SOL_MINT, to: USDC_MINT, amount })

/** A trader that has bought at 103. */
function bought(world: TraderWorld = {}, params: Parameters<typeof breakout>[0] = {}): TraderUnderTest {
  const trader = start(world, params)
  trader.tick(103)
  trader.fill()
  return trader
}

describe('breakout', () => {
  test('keeps the contract of a strategy', () => expectConformance(breakout()))

  test('buys at the price that is above the highest of the channel', () => {
    const trader = start()
    expect(trader.tick(102)).toEqual([])
    expect(trader.tick(102.01)).toEqual([buying('10')])
  })

  test('looks back as far as it is told', () => {
    // The 102 is ten seconds ago; in the last five nothing was above 100.
    expect(start({}, { channelSec: 5 }).tick(100.5)).toEqual([buying('10')])
    expect(start().tick(100.5)).toEqual([])
  })

  test('looks back over as many seconds where prices come more seldom', () => {
    const trader = start({ history: [104] }, { channelSec: 4 })
    const twoLater = (price: number) => [...trader.wait(2), ...trader.price(price)]
    // The 104 holds until the second second.
    expect([...twoLater(100), ...twoLater(101)]).toEqual([])
    expect(twoLater(101.5)).toEqual([buying('10')])
  })

  test('sells exactly what it holds under the lowest of the last few seconds: the stop follows the price', () => {
    const trader = bought()
    expect(trader.tick(104, 105, 106)).toEqual([])
    expect(trader.tick(104)).toEqual([])
    expect(trader.tick(103.9)).toEqual([selling(97_087_378n)])
    trader.fill()
    expect(trader.held()).toBe(0n)
  })

  test('stops at once when the price falls back under where it came from, and later with a longer stop', () => {
    expect(bought().tick(99.9)).toHaveLength(1)
    expect(bought({}, { stopSec: 8 }).tick(99.9)).toEqual([])
    expect(bought({}, { stopSec: 8 }).tick(97.9)).toHaveLength(1)
  })

  test('may enter again after a stop', () => {
    const trader = bought()
    trader.tick(99.9)
    trader.fill()
    expect(trader.tick(103.1)).toEqual([buying('10')])
  })

  test('buys without a breakout when most of the time is over: who bought nothing has made no move', () => {
    const trader = start()
    const quiet = Array.from({ length: 11 }, () => 100)
    expect(trader.tick(...quiet)).toEqual([])
    expect(trader.tick(100)).toEqual([buying('10')])
  })

  test('does so once: not again after a stop, and not where it has already bought', () => {
    const trader = bought()
    trader.tick(99.9)
    trader.fill()
    expect(trader.tick(...Array.from({ length: 17 }, () => 99.9))).toEqual([])
  })

  test('buys at once where the contest does not say when it ends', () => {
    expect(start({ contest: { endsAt: undefined } }).tick(100)).toEqual([buying('10')])
    expect(start({ contest: { startsAt: undefined, endsAt: undefined } }).tick(100)).toEqual([buying('10')])
  })

  test('without a past there is no channel to break out of', () => {
    expect(start({ history: [] }).tick(100, 101, 102, 103)).toEqual([])
  })

  test('trades the token of the contest, where it has one', () => {
    const trader = start({ token: JUP, contest: { token: JUP.mint } })
    expect(trader.tick(103)).toEqual([buying('10', JUP.mint)])
  })

  test('never asks for more than there is', () => {
    expect(start({ available: usdc('4') }).tick(103)).toEqual([buying('4')])
    expect(start({ available: undefined }).tick(103)).toEqual([])
  })

  test('tries a failed sale again at the next price, and a refused one only later', () => {
    const trader = bought()
    expect(trader.tick(99)).toHaveLength(1)
    trader.fail()
    expect(trader.tick(98)).toHaveLength(1)
    trader.refuse()
    expect(trader.tick(97, 96, 95, 94)).toEqual([])
    expect(trader.tick(93)).toHaveLength(1)
  })
})
