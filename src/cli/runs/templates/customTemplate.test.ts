import { type BotView, enqueue, SOL_MINT, swap, USDC_MINT, usdc } from 'cornerman'
import { CustomUnderTest, contestView, expectConformance, NOW_MS, ticketView } from 'cornerman/testing'
import { describe, expect, test } from 'vitest'
import customTemplate from './customTemplate.ts'

const start = (view: Partial<BotView> = {}) => new CustomUnderTest(customTemplate(), view)
const entry = enqueue({ mode: 'same_token', stake: usdc('1'), durationSec: 20, waitSec: 30 })
const seat = contestView({ contestId: 'a', mode: 'same_token', token: SOL_MINT })
const purchase = swap({ contestId: 'a', from: USDC_MINT, to: SOL_MINT, amount: usdc('10') })

describe('customTemplate', () => {
  test('keeps the contract of a strategy', () => expectConformance(customTemplate()))

  test('queues as often as it has nothing open', () => {
    const strategy = start()
    expect(strategy.wait(4)).toEqual([])
    expect(strategy.wait(1)).toEqual([entry])
    strategy.know({ tickets: [ticketView()] })
    expect(strategy.wait(10)).toEqual([])
    strategy.know({
      tickets: [],
      entering: [{ type: 'enqueue', mode: 'same_token', stake: usdc('1'), contestId: undefined, askedAt: NOW_MS }],
    })
    expect(strategy.wait(10)).toEqual([])
    strategy.know({ entering: [] })
    expect(strategy.wait(5)).toEqual([entry])
  })

  test('buys once in each contest, when it has started', () => {
    const strategy = start({ contests: [{ ...seat, startsAt: NOW_MS + 2000 }] })
    expect(strategy.wait(1)).toEqual([])
    expect(strategy.wait(1)).toEqual([purchase])
    expect(strategy.wait(5)).toEqual([])
    strategy.know({ contests: [seat, { ...seat, contestId: 'b' }] })
    expect(strategy.wait(5)).toEqual([{ ...purchase, contestId: 'b' }])
    strategy.know({ contests: [] })
    expect(strategy.wait(5)).toEqual([entry])
  })

  test('buys nothing where an earlier run has bought', () => {
    const strategy = start({ contests: [seat, { ...seat, contestId: 'b' }], swappedIn: ['a'] })
    expect(strategy.wait(5)).toEqual([{ ...purchase, contestId: 'b' }])
  })

  test('buys nothing in a contest of another mode', () => {
    const strategy = start({ contests: [{ ...seat, mode: 'pnl_usd' }] })
    expect(strategy.wait(5)).toEqual([])
  })
})
