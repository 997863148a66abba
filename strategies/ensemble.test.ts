import { canonicalPrice } from 'cornerman'
import { expectConformance, line, type PredictWorld, predictContext } from 'cornerman/testing'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import drift from './drift.ts'
import ensemble from './ensemble.ts'
import ewma from './ewma.ts'

const predict = (world: PredictWorld) => ensemble().predict(predictContext({ leftSec: 10, ...world }))
const priceOf = (answer: ReturnType<typeof predict>): number => {
  if (!answer || answer instanceof Promise || !('price' in answer)) throw new Error('it predicted no price')
  return Number(answer.price)
}

/** 300 seconds up and down about a level, in a rhythm that no average follows. */
const jitter = Array.from({ length: 400 }, (_, second) => 100 + (second % 2 === 0 ? 1 : -1))
const trend = line(100, 140, 399)

describe('ensemble', () => {
  test('keeps the contract of a strategy', () => expectConformance(ensemble()))

  test('believes whoever was right: on a trend the drift, about a level the average', () => {
    const [onward, still] = [drift({ lookbackSec: 20, share: 0.5 }), Number(trend.at(-1))]
    const most = priceOf(onward.predict(predictContext({ prices: { sol: trend }, leftSec: 10 })))
    const told = priceOf(predict({ prices: { sol: trend } }))
    // Nearer to the drift than to the price of now.
    expect(told - still).toBeGreaterThan((most - still) / 2)
    const average = priceOf(ewma({ share: 1 }).predict(predictContext({ prices: { sol: jitter } })))
    // In an odd number of seconds the price is at its other end.
    const atLevel = priceOf(predict({ prices: { sol: jitter }, leftSec: 9 }))
    expect(Math.abs(atLevel - average)).toBeLessThan(Math.abs(Number(jitter.at(-1)) - average))
  })

  test('without a past to try them on, it takes the mean of what they say', () => {
    expect(predict({ prices: { sol: [100, 100] } })).toEqual({ price: '100' })
    const short = line(100, 110, 8)
    const members = [drift({ share: 0 }), drift({ lookbackSec: 20, share: 0.5 }), ewma({ share: 1 })]
    const mean =
      members.reduce((sum, member) => sum + priceOf(member.predict(predictContext({ prices: { sol: short }, leftSec: 600 }))), 0) / 3
    expect(priceOf(predict({ prices: { sol: short }, leftSec: 600 }))).toBeCloseTo(mean, 6)
  })

  test('passes without a price, and where it is not told the token', () => {
    expect(predict({ token: 'sol' })).toBeNull()
    expect(predict({ prices: { sol: trend }, token: undefined })).toBeNull()
  })

  test('says a price that can be committed to, whatever the market does', () => {
    const walk = fc.array(fc.double({ min: 0.9, max: 1.1, noNaN: true }), { minLength: 2, maxLength: 120 })
    fc.assert(
      fc.property(walk, fc.integer({ min: -5, max: 900 }), (steps, leftSec) => {
        let price = 100
        const prices = steps.map((step) => {
          price *= step
          return price
        })
        const said = predict({ prices: { sol: prices }, leftSec })
        const text = said && 'price' in said ? said.price : ''
        expect(canonicalPrice(text)).toBe(text)
        expect(Number(text)).toBeGreaterThan(0)
      }),
      { numRuns: 30 },
    )
  })
})
