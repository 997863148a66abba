import fc from 'fast-check'
import { expect, test } from 'vitest'
import { runsOf } from '../../../test/support/suite/cases.ts'
import { coordinateOf, type Dimension, type RangeDimension, sizeOf, valueAt } from './dimension.ts'

const range = (parts: Partial<RangeDimension>): RangeDimension => ({
  kind: 'range',
  name: 'a.b',
  low: 1,
  high: 10,
  step: 1,
  scale: 'linear',
  ...parts,
})
const dimensions: fc.Arbitrary<Dimension> = fc.oneof(
  fc
    .record({
      low: fc.integer({ min: 1, max: 50 }),
      more: fc.integer({ min: 1, max: 400 }),
      scale: fc.constantFrom('linear', 'log'),
      step: fc.constantFrom(1, 0.5, 0.05, 7),
    })
    .map(({ low, more, scale, step }) => range({ low, high: low + more, scale, step })),
  fc
    .integer({ min: 1, max: 9 })
    .map((size): Dimension => ({ kind: 'choice', name: 'a.b', values: Array.from({ length: size }, (_, index) => `v${index}`) })),
)

test('every value lies within its bounds on a step, and at its own coordinate', () => {
  fc.assert(
    fc.property(dimensions, fc.double({ min: 0, max: 1, noNaN: true }), (dimension, coordinate) => {
      const value = valueAt(dimension, coordinate)
      if (dimension.kind === 'choice') expect(dimension.values).toContain(value)
      else {
        const steps = (Number(value) - dimension.low) / dimension.step
        expect(steps).toBeCloseTo(Math.round(steps), 6)
        expect(value).toBeGreaterThanOrEqual(dimension.low)
        expect(value).toBeLessThanOrEqual(dimension.high)
      }
      const own = coordinateOf(dimension, value)
      expect(own).toBeGreaterThanOrEqual(0)
      expect(own).toBeLessThanOrEqual(1)
      expect(valueAt(dimension, own ?? -1)).toBe(value)
    }),
    { numRuns: runsOf(1000) },
  )
})

test('a range of one value has it in its middle', () => {
  for (const scale of ['linear', 'log'] as const) expect(coordinateOf(range({ low: 1, high: 2, step: 7, scale }), 1)).toBe(0.5)
})

test('each value of a linear range, and each choice, has an equal part', () => {
  for (const dimension of [range({ low: 3, high: 7 }), { kind: 'choice', name: 'a.b', values: [1, 2, 3, 4, 5] }] as const) {
    const counts = new Map<unknown, number>()
    for (let part = 0; part < 100; part++)
      counts.set(valueAt(dimension, (part + 0.5) / 100), (counts.get(valueAt(dimension, (part + 0.5) / 100)) ?? 0) + 1)
    expect([...counts.values()]).toEqual([20, 20, 20, 20, 20])
  }
})

test('the middle of a log range is the root of what its bounds multiply to', () => {
  expect(valueAt(range({ low: 10, high: 1000, scale: 'log' }), 0.5)).toBe(100)
  expect(valueAt(range({ low: 10, high: 1000 }), 0.5)).toBe(505)
})

test('sums of binary fractions are written as they are meant', () => {
  const dimension = range({ low: 0.1, high: 0.9, step: 0.1 })
  expect(sizeOf(dimension)).toBe(9)
  expect(Array.from({ length: 9 }, (_, index) => valueAt(dimension, (index + 0.5) / 9))).toEqual([
    0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9,
  ])
})

test('what a dimension has not lies nowhere in it', () => {
  for (const value of [0, 11, true, 'x', undefined]) expect(coordinateOf(range({}), value)).toBeUndefined()
  expect(coordinateOf({ kind: 'choice', name: 'a.b', values: ['x', 'y'] }, 'z')).toBeUndefined()
})
