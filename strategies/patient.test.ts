import { SOL_MINT } from 'cornerman'
import { CustomUnderTest, expectConformance } from 'cornerman/testing'
import { describe, expect, test } from 'vitest'
import patient from './patient.ts'

const due = { token: SOL_MINT }

function seeing(prices: readonly string[], params: Parameters<typeof patient>[0] = {}): CustomUnderTest {
  const strategy = new CustomUnderTest(patient(params))
  for (const price of prices) {
    strategy.prices({ [SOL_MINT]: price })
    strategy.wait(1)
  }
  return strategy
}

const committed = (price: string) => [{ type: 'commitPrediction', contestId: 'c', price }]

describe('patient', () => {
  test('keeps the contract of a strategy', () => expectConformance(patient()))

  test('waits, and commits to the median of what it saw', () => {
    const strategy = seeing(['180', '181'])
    expect(strategy.predictionDue(due)).toEqual([])
    strategy.prices({ [SOL_MINT]: '250' })
    expect(strategy.wait(1.9)).toEqual([])
    expect(strategy.wait(0.1)).toEqual(committed('181'))
  })

  test('looks back no further than it is told', () => {
    const strategy = seeing(['100', '100', '100', '180', '181', '182'], { windowSec: 4 })
    strategy.predictionDue(due)
    expect(strategy.wait(2)).toEqual(committed('182'))
  })

  test('commits once, however often it hears of the contest meanwhile', () => {
    const strategy = seeing(['180'])
    strategy.predictionDue(due)
    strategy.wait(1)
    strategy.predictionDue(due)
    expect(strategy.wait(5)).toHaveLength(1)
  })

  test('commits again where it is due again', () => {
    const strategy = seeing(['180'])
    strategy.predictionDue(due)
    strategy.wait(3)
    strategy.predictionDue(due)
    expect(strategy.wait(3)).toHaveLength(1)
  })

  test('takes the price of now where there was none lately', () => {
    const strategy = seeing(['180'])
    strategy.wait(60)
    strategy.predictionDue(due)
    expect(strategy.wait(2)).toEqual(committed('180'))
  })

  test('commits to nothing without a token or a price', () => {
    const strategy = new CustomUnderTest(patient())
    strategy.predictionDue(due)
    strategy.predictionDue({ token: undefined })
    expect(strategy.wait(5)).toEqual([])
  })
})
