import { describe, expect, test } from 'vitest'
import { testPrices } from '../../../test/support/backtest/testPrices.ts'
import { usdc } from '../../core/usdc.ts'
import { guardConfig } from '../../strategy/guardConfig.ts'
import { Samples } from '../log/samples.ts'
import { byPeriod, fitWorld } from './assumptions.ts'

const NO_PRICES = { prices: testPrices({}), isImported: false, stepMs: 0 }

test('what is stated is taken, and shown as resting on no observation', () => {
  const samples = new Samples()
  samples.quoteMs.push(10, 20, 30, 40, 50)
  const quote = (stated?: Parameters<typeof fitWorld>[1]) => {
    const { world, figures } = fitWorld({ samples, ...NO_PRICES }, stated)
    return [world.quoteMs, figures.find(({ name }) => name === 'latency of a quote')]
  }
  expect(quote()).toEqual([30, { name: 'latency of a quote', value: 30, unit: 'ms', samples: 5 }])
  expect(quote({ quoteMs: 60_000 })).toEqual([60_000, { name: 'latency of a quote', value: 60_000, unit: 'ms', samples: 0 }])
  expect(quote({ actionMs: 1 })).toEqual(quote())
})

test('a few observations say nothing', () => {
  const samples = new Samples()
  samples.quoteMs.push(10, 20, 30, 40)
  expect(fitWorld({ samples, ...NO_PRICES }).figures[1]).toEqual({
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
  const { world } = fitWorld({ samples, ...NO_PRICES })
  expect([world.actionMs, world.eventMs].every(Number.isInteger)).toBe(true)
})

describe('an imported log', () => {
  const guard = guardConfig({ maxStake: usdc('1'), dailyLoss: usdc('5') })
  const bot = { name: 'alice', strategies: [], guard, sweep: true, seed: 1 }
  const ageOn = (isImported: boolean, stepMs: number) => byPeriod(bot, { isImported, stepMs }).guard.maxPriceAgeMs

  test('lets a bot act on the newest of its prices, and on none older', () => {
    expect([ageOn(true, 60_000), ageOn(true, 1000), ageOn(false, 60_000)]).toEqual([90_000, 15_000, 15_000])
  })

  test('lets a quote lie as far from its newest price as a period may move it', () => {
    const gapOn = (isImported: boolean, stepMs: number) => byPeriod(bot, { isImported, stepMs }).guard.maxFeedGapBps
    expect([gapOn(true, 60_000), gapOn(true, 1000), gapOn(false, 60_000)]).toEqual([1000, 150, 150])
  })

  test('shows what follows from the time between two prices', () => {
    const { figures } = fitWorld({ samples: new Samples(), ...NO_PRICES, isImported: true, stepMs: 60_000 })
    expect(figures.filter(({ basis }) => basis === 'period')).toEqual([
      { name: 'prices that opponents see: one every', value: 60_000, unit: 'ms', samples: 0, basis: 'period' },
      { name: 'guard.maxPriceAgeMs, at least', value: 90_000, unit: 'ms', samples: 0, basis: 'period' },
      { name: 'guard.maxFeedGapBps, at least', value: 1000, unit: 'bps', samples: 0, basis: 'period' },
    ])
    expect(fitWorld({ samples: new Samples(), ...NO_PRICES, stepMs: 1000 }).figures.some(({ basis }) => basis === 'period')).toBe(false)
  })
})
