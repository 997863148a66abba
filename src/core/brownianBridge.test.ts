import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type BridgeEnds, BrownianBridge, stepVolatility } from './brownianBridge.ts'
import { keyedField } from './random.ts'

const bridge = (ends: Partial<BridgeEnds> = {}) =>
  new BrownianBridge({ from: 100, to: 110, steps: 60, volatility: 0.001, random: keyedField('bridge'), row: 0, ...ends })

const pricesOf = (path: BrownianBridge, steps: number) => Array.from({ length: steps + 1 }, (_, step) => path.at(step) ?? Number.NaN)

describe('BrownianBridge', () => {
  test('begins and ends where it should, and has nothing beyond', () => {
    const path = bridge()
    expect([path.at(0), path.at(60)]).toEqual([100, 110])
    expect([path.at(-1), path.at(61)]).toEqual([undefined, undefined])
    const single = bridge({ steps: 1 })
    expect([single.at(0), single.at(1)]).toEqual([100, 110])
  })

  test('is a straight line in log space where nothing is volatile', () => {
    const path = bridge({ volatility: 0 })
    for (let step = 0; step <= 60; step++) expect(path.at(step)).toBeCloseTo(100 * 1.1 ** (step / 60), 9)
  })

  test('in whatever order it is asked, it says the same', () => {
    const steps = fc.integer({ min: 1, max: 200 })
    fc.assert(
      fc.property(steps, fc.array(fc.nat({ max: 200 }), { maxLength: 20 }), (length, asked) => {
        const whole = pricesOf(bridge({ steps: length }), length)
        const path = bridge({ steps: length })
        for (const step of asked.filter((place) => place <= length)) expect(path.at(step)).toBe(whole[step])
      }),
    )
  })

  test('another row or another key is another way', () => {
    const ways = [bridge(), bridge({ row: 1 }), bridge({ random: keyedField('other') })].map((path) => path.at(30))
    expect(new Set(ways).size).toBe(ways.length)
  })

  // Fixed keys, so each figure is one number, the same in each run.
  test('moves by its volatility at every step, and swings widest in the middle', () => {
    const [steps, volatility, rows] = [60, 0.01, 2000]
    const random = keyedField('spread')
    const paths = Array.from({ length: rows }, (_, row) => bridge({ to: 100, steps, volatility, random, row }))
    const measured = paths.reduce((sum, path) => sum + stepVolatility(Float64Array.from(pricesOf(path, steps))), 0) / rows
    // A bridge has one degree of freedom less than it has steps.
    expect(measured / volatility).toBeCloseTo(Math.sqrt(1 - 1 / steps), 2)
    for (const step of [1, 7, 15, 30, 45, 59]) {
      const logs = paths.map((path) => Math.log((path.at(step) ?? Number.NaN) / 100))
      const spread = Math.sqrt(logs.reduce((sum, log) => sum + log * log, 0) / rows)
      // Standard error of a standard deviation of 2,000: 1.6 %.
      const expected = volatility * Math.sqrt((step * (steps - step)) / steps)
      expect(Math.abs(spread / expected - 1)).toBeLessThan(0.05)
    }
  })

  test('neighbouring steps of one walk have nothing in common', () => {
    const random = keyedField('walk')
    let [product, square] = [0, 0]
    for (let row = 0; row < 500; row++) {
      const logs = pricesOf(bridge({ to: 100, random, row }), 60).map(Math.log)
      const moves = logs.slice(1).map((log, index) => log - (logs[index] ?? 0))
      for (let index = 1; index < moves.length; index++) product += (moves[index] ?? 0) * (moves[index - 1] ?? 0)
      for (const move of moves) square += move * move
    }
    // Of a bridge of 60 steps the correlation is -1/59; its standard error here is 0.006.
    expect(Math.abs(product / square + 1 / 59)).toBeLessThan(0.02)
  })
})
