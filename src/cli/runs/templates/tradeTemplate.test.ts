import { SOL_MINT, USDC_MINT, usdc } from 'cornerman'
import { expectConformance, TraderUnderTest, type TraderWorld } from 'cornerman/testing'
import { describe, expect, test } from 'vitest'
import tradeTemplate from './tradeTemplate.ts'

const FLAT = Array.from({ length: 16 }, () => 100)
const strategy = tradeTemplate()
const start = (world: TraderWorld = {}) => new TraderUnderTest(strategy, { history: FLAT, ...world })
const buying = { type: 'swap', from: USDC_MINT, to: SOL_MINT, amount: usdc('10') }

describe('tradeTemplate', () => {
  test('keeps the contract of a strategy', () => expectConformance(tradeTemplate()))

  test('buys a dip, and sells all of it once the price is back', () => {
    const trader = start()
    expect(trader.tick(100, 99.81)).toEqual([])
    expect(trader.tick(99.8)).toEqual([buying])
    trader.fill()
    const held = trader.held()
    expect(trader.tick(99.9)).toEqual([])
    expect(trader.tick(100)).toEqual([{ type: 'swap', from: SOL_MINT, to: USDC_MINT, amount: held }])
  })

  test('knows the high of as many seconds where prices come more seldom', () => {
    const trader = new TraderUnderTest(tradeTemplate({ highSec: 4 }), { history: [101] })
    const twoLater = (price: number) => [...trader.wait(2), ...trader.price(price)]
    expect(twoLater(100)).toEqual([])
    expect(twoLater(100)).toEqual([buying])
  })

  test('buys without a dip when half of the time is over', () => {
    const trader = start()
    expect(trader.tick(100, 100, 100, 100, 100, 100, 100, 100, 100)).toEqual([])
    expect(trader.tick(100)).toEqual([buying])
  })

  test('waits for what became of its swap', () => {
    const trader = start()
    expect(trader.tick(99, 98, 97)).toHaveLength(1)
    trader.fail()
    expect(trader.tick(96)).toHaveLength(1)
  })

  test('never asks for more than there is', () => {
    expect(start({ available: usdc('4') }).tick(99)).toMatchObject([{ amount: usdc('4') }])
    expect(start({ available: undefined }).tick(99)).toEqual([])
  })
})
