import { expect, test } from 'vitest'
import { testPrices } from '../../../test/support/backtest/testPrices.ts'
import { Samples } from '../log/samples.ts'
import { fitWorld } from './assumptions.ts'

test('what is stated is taken, and shown as resting on no observation', () => {
  const samples = new Samples()
  samples.quoteMs.push(10, 20, 30, 40, 50)
  const quote = (stated?: Parameters<typeof fitWorld>[1]) => {
    const { world, figures } = fitWorld({ samples, prices: testPrices({}) }, stated)
    return [world.quoteMs, figures.find(({ name }) => name === 'latency of a quote')]
  }
  expect(quote()).toEqual([30, { name: 'latency of a quote', value: 30, unit: 'ms', samples: 5 }])
  expect(quote({ quoteMs: 60_000 })).toEqual([60_000, { name: 'latency of a quote', value: 60_000, unit: 'ms', samples: 0 }])
  expect(quote({ actionMs: 1 })).toEqual(quote())
})

test('a few observations say nothing', () => {
  const samples = new Samples()
  samples.quoteMs.push(10, 20, 30, 40)
  expect(fitWorld({ samples, prices: testPrices({}) }).figures[1]).toEqual({
    name: 'latency of a quote',
    value: 250,
    unit: 'ms',
    samples: 0,
  })
})

test('times that are fitted are whole milliseconds, though the median of an even number lies between two', () => {
  const samples = new Samples()
  samples.actionMs.push(1, 2, 3, 4, 5, 6)
  samples.eventMs.push(7, 8, 8, 9, 9, 10)
  const { world } = fitWorld({ samples, prices: testPrices({}) })
  expect([world.actionMs, world.eventMs].every(Number.isInteger)).toBe(true)
})
