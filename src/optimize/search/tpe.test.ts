import { describe, expect, test } from 'vitest'
import { keyedRandom } from '../../core/random.ts'
import type { Dimension, Values } from './dimension.ts'
import { type Space, spaceFrom } from './space.ts'
import { type Observation, proposed } from './tpe.ts'

const number = (name: string): Dimension => ({ kind: 'range', name, low: 0, high: 1, step: 0.001, scale: 'linear' })
const kind: Dimension = { kind: 'choice', name: 'kind', values: ['a', 'b', 'c', 'd'] }
const plane = spaceFrom({ dimensions: [number('x'), number('y')], incumbent: {} })

/** Places all over the space, of which each is as good as `scoreAt` says. */
function observed(count: number, scoreAt: (point: readonly number[]) => number | undefined, dimensions = 2): Observation[] {
  const random = keyedRandom(5, 'observed')
  return Array.from({ length: count }, () => {
    const point = Array.from({ length: dimensions }, () => random.next())
    return { point, score: scoreAt(point) }
  })
}
const firstOf = (space: Space, observations: readonly Observation[], count = 40): Values[] =>
  Array.from({ length: count }, (_, index) => proposed(space, observations, keyedRandom(1, index))[0] ?? {})
const mean = (numbers: readonly number[]) => numbers.reduce((sum, each) => sum + each, 0) / numbers.length
const meanOf = (values: readonly Values[], name: string) => mean(values.map((each) => Number(each[name])))

describe('proposals', () => {
  test('lie where the good places are', () => {
    const nearTo = (x: number, y: number) => observed(60, ([a = 0, b = 0]) => -((a - x) ** 2) - (b - y) ** 2)
    for (const [x, y] of [
      [0.8, 0.3],
      [0.2, 0.6],
    ] as const) {
      const found = firstOf(plane, nearTo(x, y))
      expect(Math.abs(meanOf(found, 'x') - x)).toBeLessThan(0.1)
      expect(Math.abs(meanOf(found, 'y') - y)).toBeLessThan(0.1)
    }
  })

  test('see two parameters together: where the good ones lie on both diagonals’ ends, none lies between', () => {
    const corners = observed(120, ([a = 0, b = 0]) => -Math.min((a - 0.15) ** 2 + (b - 0.15) ** 2, (a - 0.85) ** 2 + (b - 0.85) ** 2))
    const found = firstOf(plane, corners)
    const isOnCorner = ({ x, y }: Values) => Math.abs(Number(x) - Number(y)) < 0.4
    expect(found.filter(isOnCorner).length).toBeGreaterThan(36)
  })

  test('go around places that run still, as if they were bad', () => {
    const good = observed(40, ([a = 0, b = 0]) => -((a - 0.5) ** 2) - (b - 0.5) ** 2)
    const running = Array.from({ length: 8 }, (): Observation => ({ point: [0.55, 0.5], score: undefined }))
    expect(meanOf(firstOf(plane, [...good, ...running]), 'x')).toBeLessThan(meanOf(firstOf(plane, good), 'x') - 0.02)
  })

  test('take the choice that is good, and the others now and then', () => {
    const space = spaceFrom({ dimensions: [kind, number('x')], incumbent: {} })
    const isThird = observed(80, ([a = 0]) => (Math.floor(a * 4) === 2 ? 1 : 0))
    const found = firstOf(space, isThird, 100)
    expect(found.filter((values) => values.kind === 'c').length).toBeGreaterThan(75)
    const drawn = Array.from({ length: 20 }, (_, index) => proposed(space, isThird, keyedRandom(2, index))).flat()
    // Of twelve good ones one component in thirteen draws anything, and a quarter of the draws from the others do.
    const others = drawn.filter((values) => values.kind !== 'c').length / drawn.length
    expect(others).toBeGreaterThan(0.15)
    expect(others).toBeLessThan(0.35)
  })

  test('a parameter that does not count at a place draws nothing there', () => {
    const space = spaceFrom({
      dimensions: [kind, number('x')],
      incumbent: {},
      counts: (name, values) => name !== 'x' || values.kind === 'a',
    })
    const observations = observed(80, ([a = 0]) => (Math.floor(a * 4) === 1 ? 1 : 0)).map(({ point: [a = 0, x], score }) => ({
      point: [a, a < 0.25 ? x : undefined],
      score,
    }))
    // A quarter of the draws are of other kinds: the best of each proposal is not.
    expect(firstOf(space, observations).filter((values) => values.kind === 'b').length).toBeGreaterThan(37)
    for (const values of proposed(space, observations, keyedRandom(3))) expect(Object.hasOwn(values, 'x')).toBe(values.kind === 'a')
  })

  test('are equal for equal streams, and anything where nothing is known', () => {
    const some = observed(30, ([a = 0]) => a)
    expect(proposed(plane, some, keyedRandom(7))).toEqual(proposed(plane, some, keyedRandom(7)))
    const blind = Array.from({ length: 40 }, (_, index) => proposed(plane, [], keyedRandom(1, index))).flat()
    expect(blind).toHaveLength(960)
    expect(meanOf(blind, 'x')).toBeGreaterThan(0.47)
    expect(meanOf(blind, 'x')).toBeLessThan(0.53)
  })
})
