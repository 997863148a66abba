import { expectConformance, line, type PredictWorld, predictContext } from 'cornerman/testing'
import { describe, expect, test } from 'vitest'
import ewma from './ewma.ts'

const predict = (world: PredictWorld, params: Parameters<typeof ewma>[0] = {}) =>
  ewma({ span: 3, share: 1, ...params }).predict(predictContext(world))

describe('ewma', () => {
  test('keeps the contract of a strategy', () => expectConformance(ewma()))

  test('predicts the average of the last prices, the newest weighing most', () => {
    // Each weighs a half: 100, 104 → 102, 108 → 105.
    expect(predict({ prices: { sol: [100, 104, 108] } })).toEqual({ price: '105' })
    expect(predict({ prices: { sol: line(100, 100, 10) } })).toEqual({ price: '100' })
  })

  test('goes as far from the price of now as it is told', () => {
    expect(predict({ prices: { sol: [100, 104, 108] } }, { share: 0.5 })).toEqual({ price: '106.5' })
    expect(predict({ prices: { sol: [100, 104, 108] } }, { share: 0 })).toEqual({ price: '108' })
  })

  test('looks back as far as it is told', () => {
    const sol = [...line(200, 200, 20), ...line(100, 100, 5)]
    expect(predict({ prices: { sol } }, { lookbackSec: 5 })).toEqual({ price: '100' })
    expect(predict({ prices: { sol } }, { lookbackSec: 30 })).not.toEqual({ price: '100' })
  })

  test('predicts the price of now until it has seen enough, and passes without one', () => {
    expect(predict({ prices: { sol: [100, 104] } })).toEqual({ price: '104' })
    expect(predict({ token: 'sol' })).toBeNull()
    expect(predict({ prices: { sol: [1] }, token: undefined })).toBeNull()
  })
})
