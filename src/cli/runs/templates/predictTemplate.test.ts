import { expectConformance, line, type PredictWorld, predictContext } from 'cornerman/testing'
import { describe, expect, test } from 'vitest'
import predictTemplate from './predictTemplate.ts'

const predict = (world: PredictWorld, share = 0.5) => {
  const strategy = predictTemplate({ share })
  return strategy.predict(predictContext(world))
}
const risen = { sol: line(100, 104, 20) }
const fallen = { sol: line(100, 96, 20) }

describe('predictTemplate', () => {
  test('keeps the contract of a strategy', () => expectConformance(predictTemplate()))

  test('predicts a price part of the way back', () => {
    expect(predict({ prices: risen })).toEqual({ price: '102' })
    expect(predict({ prices: fallen })).toEqual({ price: '98' })
    expect(predict({ prices: risen }, 0)).toEqual({ price: '104' })
  })

  test('takes the side that leads back', () => {
    expect(predict({ mode: 'up_down', prices: risen })).toEqual({ side: 'DOWN' })
    expect(predict({ mode: 'up_down', prices: fallen })).toEqual({ side: 'UP' })
  })

  test('passes without a price, without a past, and where it is not told the token', () => {
    expect(predict({ token: 'sol' })).toBeNull()
    expect(predict({ prices: { sol: [100, 101] } })).toBeNull()
    expect(predict({ prices: risen, token: undefined })).toBeNull()
  })
})
