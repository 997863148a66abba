import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { runsOf } from '../../test/support/suite/cases.ts'
import { MOST_BOUNDS, type OffsetBound, OffsetEstimate, offsetNear } from './clockOffset.ts'

const TRUTH_MS = fc.constantFrom(0, -400, 2000, -60_000, 600_000, 3_600_000)
const WIDTH_MS = fc.oneof(fc.integer({ min: 0, max: 3000 }), fc.constant(Number.POSITIVE_INFINITY))
/** How far below and above the truth a bound that is true lies; how far away, and on which sides, one that lies does. */
const TRUE = fc.record({ below: WIDTH_MS, above: WIDTH_MS })
const LIE = fc.record({ at: fc.integer({ min: -7_200_000, max: 7_200_000 }), below: WIDTH_MS, above: WIDTH_MS })

const trueBound = (truthMs: number, { below, above }: { below: number; above: number }): OffsetBound => ({
  leastMs: truthMs - below,
  mostMs: truthMs + above,
})

/** Fewer than half of the bounds on each side are false. */
const isMinority = (lies: readonly OffsetBound[], all: readonly OffsetBound[]): boolean =>
  (['leastMs', 'mostMs'] as const).every((side) => {
    const limits = (bounds: readonly OffsetBound[]) => bounds.filter((bound) => Number.isFinite(bound[side])).length
    return limits(lies) === 0 || limits(lies) * 2 < limits(all)
  })

const mixture = fc.record({
  truthMs: TRUTH_MS,
  startMs: fc.integer({ min: -7_200_000, max: 7_200_000 }),
  honest: fc.array(TRUE, { minLength: 1, maxLength: MOST_BOUNDS }),
  lies: fc.array(LIE, { maxLength: 9 }),
  order: fc.array(fc.nat(), { minLength: 40, maxLength: 40 }),
})

/** The bounds of a mixture, in an order of its own. */
function mixed({
  truthMs,
  honest,
  lies,
  order,
}: {
  truthMs: number
  honest: { below: number; above: number }[]
  lies: { at: number; below: number; above: number }[]
  order: number[]
}) {
  const told = honest.map((one) => trueBound(truthMs, one))
  const lied = lies.map(({ at, ...width }) => trueBound(truthMs + at, width))
  const all = [...told, ...lied]
  return {
    lied,
    all: all
      .map((bound, n) => ({ bound, key: order[n] ?? 0 }))
      .sort((a, b) => a.key - b.key)
      .map(({ bound }) => bound),
  }
}

describe('a minority of bounds that lie', () => {
  test('never moves an offset away from the truth', () => {
    fc.assert(
      fc.property(mixture, (given) => {
        const { lied, all } = mixed(given)
        fc.pre(isMinority(lied, all))
        const { truthMs, startMs } = given
        expect(offsetNear(truthMs, all)).toBe(truthMs)
        expect(Math.abs(offsetNear(startMs, all) - truthMs)).toBeLessThanOrEqual(Math.abs(startMs - truthMs))
      }),
      { numRuns: runsOf(20_000) },
    )
  })

  test('never moves an estimate that is right, in whatever order the bounds come', () => {
    const rounds = fc.record({
      truthMs: TRUTH_MS,
      kinds: fc.array(fc.record({ isLie: fc.boolean(), lie: LIE, honest: TRUE }), { minLength: 60, maxLength: 200 }),
    })
    fc.assert(
      fc.property(rounds, ({ truthMs, kinds }) => {
        const estimate = new OffsetEstimate()
        estimate.moveTo(truthMs)
        const window: { isLie: boolean; bound: OffsetBound }[] = []
        kinds.forEach(({ isLie, lie, honest }, n) => {
          const lied = trueBound(truthMs + lie.at, lie)
          const next = { isLie: true, bound: lied }
          const after = [...window, next].slice(-MOST_BOUNDS)
          const liesIn = (list: typeof window) => list.filter((one) => one.isLie).map(({ bound }) => bound)
          const mayLie =
            isLie &&
            isMinority(
              liesIn(after),
              after.map(({ bound }) => bound),
            )
          const told = {
            isLie: mayLie,
            bound: mayLie
              ? lied
              : trueBound(truthMs, { ...honest, below: Math.min(honest.below, 3000), above: Math.min(honest.above, 3000) }),
          }
          window.push(told)
          window.splice(0, window.length - MOST_BOUNDS)
          if (
            !isMinority(
              liesIn(window),
              window.map(({ bound }) => bound),
            )
          )
            return
          estimate.add(told.bound, n * 1000)
          expect(estimate.offsetMs).toBe(truthMs)
        })
      }),
      { numRuns: runsOf(2000) },
    )
  })
})

test.each([
  ['nothing is known', [], 0],
  ['a single bound', [[5000, 6000]], 0],
  [
    'two that agree',
    [
      [5000, 6000],
      [5200, 6200],
    ],
    5000,
  ],
  [
    'two that do not',
    [
      [5000, 6000],
      [-6000, -5000],
    ],
    0,
  ],
  [
    'three, of which one lies',
    [
      [5000, 6000],
      [5200, 6200],
      [-9000, -8000],
    ],
    5000,
  ],
  [
    'limits on one side',
    [
      [5000, Infinity],
      [7000, Infinity],
      [6000, Infinity],
    ],
    6000,
  ],
  [
    'limits that the offset keeps to',
    [
      [-5000, Infinity],
      [-100, 200],
      [-1, 900],
    ],
    0,
  ],
] as const)('%s', (_name, bounds, expected) => {
  expect(
    offsetNear(
      0,
      bounds.map(([leastMs, mostMs]) => ({ leastMs, mostMs })),
    ),
  ).toBe(expected)
})

test('twenty bounds that all agree move it at once; where one dissents it moves a second a minute', () => {
  for (const dissents of [false, true]) {
    const estimate = new OffsetEstimate()
    for (let n = 0; n < MOST_BOUNDS; n++) estimate.add({ leastMs: -10, mostMs: 10 }, n)
    for (let n = 0; n < MOST_BOUNDS - 1; n++) estimate.add({ leastMs: 59_990, mostMs: 60_010 }, 1000 + n)
    const before = estimate.offsetMs
    expect(before).toBeLessThanOrEqual(1000)
    estimate.add(dissents ? { leastMs: -10, mostMs: 10 } : { leastMs: 59_990, mostMs: 60_010 }, 5000)
    expect(estimate.offsetMs).toBe(dissents ? before : 59_990)
    estimate.consider(61_001 + 5000)
    expect(estimate.offsetMs).toBe(dissents ? before + 1000 : 59_990)
  }
})
