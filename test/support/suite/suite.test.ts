import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, inject, test, vi } from 'vitest'
import type { TestProject } from 'vitest/node'
import { casesOf, runsOf, sizeOf } from './cases.ts'
import freshSeed from './freshSeed.ts'
import { inLong, thirdOf } from './long.ts'

const isWhole = inject('suite') === 'system'

describe('a property that names no seed', () => {
  test('draws from the seed of the suite, and the same again', () => {
    const drawn = () => {
      const numbers: number[] = []
      fc.assert(fc.property(fc.nat(), (number) => void numbers.push(number)))
      return numbers
    }
    expect(fc.readConfigureGlobal()?.seed).toBe(inject('seed'))
    expect(drawn()).toEqual(drawn())
  })
})

describe('what costs much', () => {
  test('is looked at whole in the system suite, and in small in npm test', () => {
    const whole = process.env.LONG_TESTS === 'yes' ? [2000, 40, 15, 5] : [1000, 20, 10, 5]
    expect([runsOf(2000), runsOf(40), runsOf(15), runsOf(5)]).toEqual(isWhole ? whole : [200, 10, 10, 5])
    expect(sizeOf(8, 2)).toBe(isWhole ? 8 : 2)
    expect(casesOf([1, 2, 3], (item) => item > 2)).toEqual(isWhole ? [1, 2, 3] : [3])
  })

  test('leaves something for npm test', () => {
    expect(() => casesOf([1, 2, 3], (item) => item > 3)).toThrow('no case is left for npm test')
  })
})

describe.skipIf(process.env.LONG_TESTS === 'yes')('what takes minutes', () => {
  test('is done half as often, or as often as is said', () => {
    expect([inLong(50), inLong(130, 70)]).toEqual([25, 70])
  })

  test('is of every third case: each has its turn with some seed', () => {
    const all = Array.from({ length: 10 }, (_, index) => index)
    const turns = [-2, 0, 1].map((seed) => thirdOf(all, seed))
    expect(turns).toEqual([
      [2, 5, 8],
      [0, 3, 6, 9],
      [1, 4, 7],
    ])
  })
})

describe('the seed of the system suite', () => {
  const lines: string[] = []
  beforeEach(() => {
    vi.stubEnv('CORNERMAN_TEST_SEED', undefined)
    vi.spyOn(console, 'log').mockImplementation((line: string) => void lines.push(line))
  })
  afterEach(() => {
    vi.unstubAllEnvs()
    vi.restoreAllMocks()
    lines.splice(0)
  })

  /** What tests are given of a run. */
  const seedOfRun = () => {
    let given: unknown
    const project = { provide: (key: string, value: unknown) => (given = key === 'seed' ? value : given) }
    freshSeed(project as unknown as TestProject)
    return given
  }

  test('is drawn for each run, and printed with what repeats it', () => {
    const seeds = [1, 2, 3].map(() => {
      vi.stubEnv('CORNERMAN_TEST_SEED', undefined)
      return seedOfRun()
    })
    expect(new Set(seeds).size).toBeGreaterThan(1)
    for (const seed of seeds) expect(lines.some((line) => line.includes(`CORNERMAN_TEST_SEED=${String(seed)} `))).toBe(true)
  })

  test('is the same for all projects of a run, and said once', () => {
    expect(seedOfRun()).toBe(seedOfRun())
    expect(lines).toHaveLength(1)
  })

  test('can be named', () => {
    vi.stubEnv('CORNERMAN_TEST_SEED', '-17')
    expect(seedOfRun()).toBe(-17)
  })

  test.each(['x', '1.5', '4294967296'])('%s is none', (named) => {
    vi.stubEnv('CORNERMAN_TEST_SEED', named)
    expect(seedOfRun).toThrow(`CORNERMAN_TEST_SEED is '${named}'`)
  })
})
