import { canonicalPrice } from 'cornerman'
import { expectConformance, line, NOW_MS, strategyContext } from 'cornerman/testing'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import drift from './drift.ts'

interface Asked {
  readonly prices: readonly string[]
  readonly token?: string | undefined
  /** Until the contest ends; undefined where the service has not said. */
  readonly leftSec?: number | undefined
  readonly durationSec?: number | undefined
  readonly params?: { readonly lookbackSec?: number; readonly share?: number }
}

const predict = ({ params = {}, ...asked }: Asked) => {
  const { prices, token, leftSec, durationSec } = { token: 'sol', leftSec: 10, durationSec: undefined, ...asked }
  const endsAt = leftSec === undefined ? undefined : NOW_MS + leftSec * 1000
  return drift({ lookbackSec: 20, share: 0.5, ...params }).predict({
    ...strategyContext({ prices: { sol: prices } }),
    contest: { contestId: 'c', mode: 'price_prediction', stake: 1n, token, durationSec, startsAt: undefined, endsAt },
  })
}

describe('drift', () => {
  test('keeps the contract of a strategy', () => expectConformance(drift()))

  test('moves the price of now on by its share of the drift, for the time that is left', () => {
    // 10 % up in 20 s; half of that is believed, for half of the time: 110 × 1.025.
    expect(predict({ prices: line(100, 110, 20) })).toEqual({ price: '112.75' })
    // 10 % down: 90 × 0.975.
    expect(predict({ prices: line(100, 90, 20) })).toEqual({ price: '87.75' })
  })

  test('believes as much as it is told, down to nothing', () => {
    expect(predict({ prices: line(100, 110, 20), params: { share: 1 } })).toEqual({ price: '115.5' })
    expect(predict({ prices: line(100, 110, 20), params: { share: 0 } })).toEqual({ price: '110' })
  })

  test('looks back as far as it is told', () => {
    const prices = [...line(100, 90, 15), ...line(91, 95, 4)]
    // Over 20 s it is 5 % down: 95 × (1 - 0.05 / 4). Over 5 s it is up from 90.
    expect(predict({ prices, params: { lookbackSec: 20 } })).toEqual({ price: '93.8125' })
    expect(Number(priceOf(predict({ prices, params: { lookbackSec: 5 } })))).toBeGreaterThan(95)
  })

  test('believes in no drift for longer than it was measured', () => {
    const atLookback = predict({ prices: line(100, 110, 20), leftSec: 20 })
    expect(atLookback).toEqual({ price: '115.5' })
    expect(predict({ prices: line(100, 110, 20), leftSec: 86_400 })).toEqual(atLookback)
  })

  test('predicts the price of now where the past is too short, the end is past, or no end is known', () => {
    expect(predict({ prices: line(100, 110, 10) })).toEqual({ price: '110' })
    expect(predict({ prices: line(100, 110, 20), leftSec: -5 })).toEqual({ price: '110' })
    expect(predict({ prices: line(100, 110, 20), leftSec: undefined })).toEqual({ price: '110' })
  })

  test('counts on the whole of a contest that has not begun', () => {
    expect(predict({ prices: line(100, 110, 20), leftSec: undefined, durationSec: 10 })).toEqual({ price: '112.75' })
    // Whatever its terms say: once the window is known, that counts.
    expect(predict({ prices: line(100, 110, 20), leftSec: 10, durationSec: 60 })).toEqual({ price: '112.75' })
  })

  test('passes without a price, and where it is not told the token', () => {
    expect(predict({ prices: [] })).toBeNull()
    expect(predict({ prices: line(100, 110, 20), token: undefined })).toBeNull()
    expect(predict({ prices: line(100, 110, 20), token: 'another' })).toBeNull()
  })

  test('predicts a price that can be committed to, however wild the market and however long the contest', () => {
    const price = fc.double({ min: 0.001, max: 1e6, noNaN: true }).map((value) => value.toFixed(9))
    fc.assert(
      fc.property(
        price,
        price,
        fc.integer({ min: 0, max: 86_400 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (before, now, leftSec, share) => {
          const prices = [before, ...Array.from({ length: 5 }, () => now)]
          const predicted = priceOf(predict({ prices, leftSec, params: { lookbackSec: 5, share } }))
          expect(canonicalPrice(predicted)).toBe(predicted)
          expect(Number(predicted)).toBeGreaterThan(0)
        },
      ),
    )
  })

  test('is asked for price_prediction alone', () => {
    expect(drift().modes).toEqual(['price_prediction'])
  })
})

function priceOf(prediction: ReturnType<typeof predict>): string {
  if (prediction instanceof Promise || !prediction || !('price' in prediction)) throw new Error('no price was predicted')
  return prediction.price
}
