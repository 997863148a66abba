import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { FIRST_TICK_MS, testPrices } from '../../../test/support/backtest/testPrices.ts'
import { SOL_MINT } from '../../core/tokens.ts'
import { WorldPrices } from './worldPrices.ts'

/** A price a minute. */
const MINUTES = [180, 181.5, 179, 179, 183.25]
const prices = () => new WorldPrices(testPrices({ [SOL_MINT]: MINUTES }, 60), { facts: [], pauses: [], seed: 7, stepMs: 60_000 })
const at = (seconds: number) => FIRST_TICK_MS + seconds * 1000

describe('WorldPrices', () => {
  test('at the minute it is the price of the feed, and on the way to the next one nearly always another', () => {
    const world = prices()
    expect(MINUTES.map((_, minute) => world.at(SOL_MINT, at(60 * minute)))).toEqual(MINUTES.map(String))
    const onTheWay = Array.from({ length: 59 }, (_, second) => world.at(SOL_MINT, at(second + 1)))
    expect(new Set(onTheWay).size).toBeGreaterThan(50)
  })

  test('is the same whoever asks first, in whatever order, and how often', () => {
    const alone = (second: number) => prices().at(SOL_MINT, at(second))
    const asks = fc.array(fc.integer({ min: -5, max: 300 }), { minLength: 1, maxLength: 60 })
    const isTheSame = fc.property(asks, (seconds) => {
      const world = prices()
      expect(seconds.map((second) => world.at(SOL_MINT, at(second)))).toEqual(seconds.map(alone))
    })
    fc.assert(isTheSame, { numRuns: 60 })
  })

  test('as a number it is near enough to the text', () => {
    const world = prices()
    for (let second = 0; second < 300; second++) {
      const text = Number(world.at(SOL_MINT, at(second)))
      expect(Math.abs((world.near(SOL_MINT, at(second)) ?? 0) / text - 1)).toBeLessThan(1e-8)
    }
  })

  test('agents are shown the minute, and nothing of the way to the next one', () => {
    const world = prices()
    const shown = Array.from({ length: 240 }, (_, second) => world.feed?.at(SOL_MINT, at(second)))
    expect(shown).toEqual(Array.from({ length: 240 }, (_, second) => String(MINUTES[Math.floor(second / 60)])))
    expect([world.feed?.periodSec, world.feed?.at(SOL_MINT, at(-1))]).toEqual([60, null])
  })

  test('of a log as fine as the service agents are shown all there is', () => {
    const fine = new WorldPrices(testPrices({ [SOL_MINT]: MINUTES }, 5), { facts: [], pauses: [], seed: 7, stepMs: 5000 })
    expect(fine.feed).toBeUndefined()
  })

  test('there is none before the first, nor of a token the log has not', () => {
    const world = prices()
    expect([world.at(SOL_MINT, at(-1)), world.near(SOL_MINT, at(-1)), world.near('other', at(10))]).toEqual([null, null, null])
  })

  test('what the service has shown counts where no price of the feed is nearer', () => {
    const shown = [{ mint: SOL_MINT, at: at(90), price: '250' }]
    const world = new WorldPrices(testPrices({ [SOL_MINT]: MINUTES }, 60), { facts: shown, pauses: [], seed: 7, stepMs: 60_000 })
    expect([world.at(SOL_MINT, at(90)), world.near(SOL_MINT, at(90)), world.at(SOL_MINT, at(91))]).toEqual(['250', 250, '250'])
    expect(Number(world.at(SOL_MINT, at(95)))).toBeLessThan(200)
  })

  test('in a pause there is none, but what the service has shown, and after it there is again', () => {
    const pauses = [{ from: at(70), to: at(120), tick: 3 }]
    const shown = [{ mint: SOL_MINT, at: at(100), price: '250' }]
    const world = new WorldPrices(testPrices({ [SOL_MINT]: MINUTES }, 60), { facts: shown, pauses, seed: 7, stepMs: 60_000 })
    const prices = [59, 60, 70, 74, 75, 90, 100, 119, 120].map((second) => world.at(SOL_MINT, at(second)))
    expect(prices.slice(1)).toEqual(['181.5', '181.5', '181.5', null, null, '250', null, '179'])
    expect([75, 90, 119].map((second) => world.near(SOL_MINT, at(second)))).toEqual([null, null, null])
    expect(prices[0]).not.toBe('180')
  })
})
