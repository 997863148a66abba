import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { draw, keyedField, keyedRandom, type Random } from './random.ts'

const take = (random: Random, count: number) => Array.from({ length: count }, () => random.next())
const key = fc.oneof(fc.integer(), fc.string())

// Every stream here is of fixed keys, so a share or a mean is one number, the same in each run.
const DRAWS = 20_000

describe('keyedRandom', () => {
  test('equal keys give equal streams', () => {
    fc.assert(
      fc.property(fc.array(key, { minLength: 1, maxLength: 4 }), (keys) => {
        expect(take(keyedRandom(...keys), 8)).toEqual(take(keyedRandom(...keys), 8))
      }),
    )
  })

  test('any other key, order or type of key gives another stream', () => {
    const streams = [
      ...[keyedRandom(7, 'momentum', 1041), keyedRandom(7, 'momentum', 1042), keyedRandom(8, 'momentum', 1041)],
      ...[keyedRandom(7, 'drift', 1041), keyedRandom('momentum', 7, 1041), keyedRandom('7', 'momentum', 1041)],
      ...[keyedRandom(7, 'momentum'), keyedRandom('7,momentum,1041'), keyedRandom(), keyedRandom('')],
    ].map((random) => JSON.stringify(take(random, 4)))
    expect(new Set(streams).size).toBe(streams.length)
  })

  test('a stream does not change from one version to the next: a replay depends on it', () => {
    const random = keyedRandom(7, 'momentum', 1041)
    expect(take(random, 3)).toEqual([0.836863833013922, 0.2537088650278747, 0.5498201434966177])
    expect([random.integer(1, 6), random.integer(1, 6), random.pick(['a', 'b', 'c'])]).toEqual([1, 2, 'c'])
  })

  test('is uniform in [0, 1): each tenth holds a tenth of the draws', () => {
    const draws = take(keyedRandom('uniform'), DRAWS)
    expect(draws.every((draw) => draw >= 0 && draw < 1)).toBe(true)
    const tenths = new Array<number>(10).fill(0)
    for (const draw of draws) tenths[Math.floor(draw * 10)] = (tenths[Math.floor(draw * 10)] ?? 0) + 1
    // 2,000 expected, standard deviation 42.
    for (const count of tenths) expect(Math.abs(count - DRAWS / 10)).toBeLessThan(200)
  })

  test('first draws of neighbouring keys are uniform too, and not alike', () => {
    const draws = Array.from({ length: DRAWS }, (_, n) => keyedRandom(7, 'ladder', n).next())
    const mean = draws.reduce((sum, draw) => sum + draw, 0) / DRAWS
    // Standard deviation of the mean: 0.002.
    expect(Math.abs(mean - 0.5)).toBeLessThan(0.01)
    const pairs = draws.slice(1).map((draw, n) => (draw - 0.5) * ((draws[n] ?? 0) - 0.5))
    const correlation = (12 * pairs.reduce((sum, product) => sum + product, 0)) / pairs.length
    expect(Math.abs(correlation)).toBeLessThan(0.035)
  })

  test('integer gives every whole number from min to max, both included', () => {
    const random = keyedRandom('dice')
    const counts = new Map<number, number>()
    for (let draw = 0; draw < 6000; draw++) {
      const face = random.integer(-2, 3)
      counts.set(face, (counts.get(face) ?? 0) + 1)
    }
    expect([...counts.keys()].sort((a, b) => a - b)).toEqual([-2, -1, 0, 1, 2, 3])
    // 1,000 expected, standard deviation 29.
    for (const count of counts.values()) expect(Math.abs(count - 1000)).toBeLessThan(150)
    expect(random.integer(5, 5)).toBe(5)
  })

  test('pick gives each value, and undefined of none', () => {
    const random = keyedRandom('pick')
    expect(new Set(Array.from({ length: 100 }, () => random.pick(['a', 'b', 'c'])))).toEqual(new Set(['a', 'b', 'c']))
    expect(random.pick([])).toBeUndefined()
  })

  test('normal has mean 0 and variance 1, and is always finite', () => {
    const random = keyedRandom('normal')
    const draws = Array.from({ length: DRAWS }, () => random.normal())
    expect(draws.every(Number.isFinite)).toBe(true)
    const mean = draws.reduce((sum, draw) => sum + draw, 0) / DRAWS
    const variance = draws.reduce((sum, draw) => sum + (draw - mean) ** 2, 0) / DRAWS
    expect(Math.abs(mean)).toBeLessThan(0.04)
    expect(Math.abs(variance - 1)).toBeLessThan(0.06)
    // Half of a normal lies within 0.6745 of its mean.
    expect(Math.abs(draws.filter((draw) => Math.abs(draw) < 0.6745).length / DRAWS - 0.5)).toBeLessThan(0.02)
  })
})

describe('draw', () => {
  test('gives as many different values as asked for, or all there are, each as often as the others', () => {
    const values = ['a', 'b', 'c', 'd', 'e']
    const counts = new Map<string, number>()
    for (let key = 0; key < 1000; key++) {
      const drawn = draw(keyedRandom('draw', key), values, 2)
      expect(new Set(drawn).size).toBe(2)
      for (const value of drawn) counts.set(value, (counts.get(value) ?? 0) + 1)
    }
    // 400 expected of each, standard deviation 16.
    for (const value of values) expect(Math.abs((counts.get(value) ?? 0) - 400)).toBeLessThan(64)
    expect(draw(keyedRandom('draw'), values, 9).toSorted()).toEqual(values)
  })
})

describe('keyedField', () => {
  const SIDE = 150
  const valuesOf = (...keys: readonly (string | number)[]) => {
    const field = keyedField(...keys)
    return Array.from({ length: SIDE * SIDE }, (_, place) => field.normal(Math.floor(place / SIDE), place % SIDE))
  }

  test('each place has its own number, whoever asks first, and other keys have others', () => {
    const values = valuesOf(7, 'bridge')
    expect(valuesOf(7, 'bridge')).toEqual(values)
    expect(keyedField(7, 'bridge').normal(3, 5)).toBe(values[3 * SIDE + 5])
    expect(new Set([...values, ...valuesOf(8, 'bridge')]).size).toBe(2 * SIDE * SIDE)
  })

  test('a field does not change from one version to the next: a sandbox and a backtest depend on it', () => {
    const field = keyedField(7, 'bridge')
    expect([field.normal(0, 0), field.normal(1, 0), field.normal(0, 1), field.normal(-1, 30)]).toEqual([
      ...[0.178128972783674, -0.21455105840068858],
      ...[0.330265073023674, -0.8313226306156574],
    ])
  })

  test('is standard normal: mean, standard deviation and tails', () => {
    const values = valuesOf('normal')
    const mean = values.reduce((sum, value) => sum + value, 0) / values.length
    const deviation = Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length)
    // 22,500 values: standard errors 0.0067 and 0.0047.
    expect(Math.abs(mean)).toBeLessThan(0.02)
    expect(Math.abs(deviation - 1)).toBeLessThan(0.015)
    const beyond = values.filter((value) => Math.abs(value) > 1.96).length / values.length
    expect(Math.abs(beyond - 0.05)).toBeLessThan(0.005)
  })

  test.each([
    ['the next column', 1],
    ['the next but one', 2],
    ['the next row', SIDE],
    ['the next row but one', 2 * SIDE],
    ['the next row and column', SIDE + 1],
  ])('a number says nothing of that in %s', (_, distance) => {
    const values = valuesOf('neighbours')
    const count = values.length - distance
    let sum = 0
    for (let place = 0; place < count; place++) sum += (values[place] ?? 0) * (values[place + distance] ?? 0)
    // Standard error 0.0067.
    expect(Math.abs(sum / count)).toBeLessThan(0.02)
  })
})
