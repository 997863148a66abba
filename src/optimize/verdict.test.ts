import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { runsOf } from '../../test/support/suite/cases.ts'
import { LEAST_PAIRED, type PairedContest, pairedEdge } from '../backtest/statistics/pairedEdge.ts'
import { keyedRandom } from '../core/random.ts'
import { usdc } from '../core/usdc.ts'
import { MOST_LOOKS } from './ledger/seals.ts'
import { alphaOf, powerOf, verdictOf } from './verdict.ts'

interface Plan {
  readonly seed: number
  readonly contests: number
  /** The chances to win of the candidate and of the incumbent. Even money less 5 %: 0.526 breaks even. */
  readonly chances: readonly [number, number]
}

/** Three contests in four come out by luck that both sides share. */
function playedBoth({ seed, contests, chances }: Plan): { readonly candidate: PairedContest[]; readonly incumbent: PairedContest[] } {
  const random = keyedRandom(seed, 'verdict')
  const [candidate, incumbent]: [PairedContest[], PairedContest[]] = [[], []]
  for (let index = 0; index < contests; index++) {
    const [luck, isCommon] = [random.next(), random.next() < 0.75]
    for (const [side, into] of [candidate, incumbent].entries()) {
      const isWon = (isCommon ? luck : random.next()) < (chances[side] ?? 0)
      into.push({
        ...{ contestId: `c${index}`, enteredAt: index, startsAt: index, stake: usdc('1'), swapProfit: 0n },
        ...{ profit: isWon ? usdc('0.9') : -usdc('1'), result: isWon ? 'WIN' : 'LOSS' },
      })
    }
  }
  return { candidate, incumbent }
}

const verdictsOf = (count: number, plan: Omit<Plan, 'seed'>, look = 1) =>
  Array.from({ length: count }, (_, seed) => verdictOf({ ...playedBoth({ ...plan, seed }), look }))
const share = <T>(items: readonly T[], is: (item: T) => boolean) => items.filter(is).length / items.length

describe('the verdict', () => {
  test('a much better one is promoted, at the level of its look', () => {
    const runs = playedBoth({ seed: 1, contests: 600, chances: [0.65, 0.5] })
    for (let look = 1; look <= MOST_LOOKS; look++) {
      const verdict = verdictOf({ ...runs, look })
      expect(verdict).toMatchObject({ verdict: 'promote', alpha: alphaOf(look) })
      expect(verdict.p).toBeLessThan(alphaOf(look))
    }
    expect([1, 2, 3].map(alphaOf)).toEqual([0.04, 0.008, 0.0016].map((alpha) => expect.closeTo(alpha, 12)))
  })

  test('a look that the first level passes may not pass the third', () => {
    const runs = Array.from({ length: 60 }, (_, seed) => playedBoth({ seed, contests: 600, chances: [0.56, 0.5] }))
    const between = runs.filter(
      (run) => verdictOf({ ...run, look: 1 }).verdict === 'promote' && verdictOf({ ...run, look: 3 }).verdict === 'more',
    )
    expect(between.length).toBeGreaterThan(0)
  })

  test('after three looks nothing is looked at', () => {
    const runs = playedBoth({ seed: 1, contests: 600, chances: [0.65, 0.5] })
    expect(verdictOf({ ...runs, look: 4 })).toEqual({ verdict: 'reject', reason: 'SPENT', alpha: 0, p: undefined, paired: undefined })
  })

  test('better than one that loses more is not enough', () => {
    const verdict = verdictOf({ ...playedBoth({ seed: 2, contests: 900, chances: [0.45, 0.25] }), look: 1 })
    expect(verdict).toMatchObject({ verdict: 'reject', reason: 'STILL_LOSES' })
    expect(verdict.paired?.edge).toBeLessThan(0)
  })

  test('a worse one is rejected, and one that cannot be better by 2 points', () => {
    expect(verdictOf({ ...playedBoth({ seed: 3, contests: 600, chances: [0.4, 0.5] }), look: 1 })).toMatchObject({
      verdict: 'reject',
      reason: 'NO_BETTER',
    })
    // Three contests of two thousand are better by nine tenths and a stake: three tenths of a point.
    const { incumbent } = playedBoth({ seed: 3, contests: 2000, chances: [0.5, 0.5] })
    const candidate = incumbent.map((contest, index): PairedContest => (index % 900 === 0 ? { ...contest, profit: usdc('2') } : contest))
    const verdict = verdictOf({ candidate, incumbent, look: 1 })
    expect(verdict.paired?.difference).toBeGreaterThan(0)
    expect(verdict).toMatchObject({ verdict: 'reject', reason: 'NO_BETTER' })
  })

  test('where it cannot be told, it says how many contests would tell at the next look', () => {
    const verdicts = verdictsOf(60, { contests: 400, chances: [0.55, 0.5] })
    const needed = verdicts.flatMap((verdict) => (verdict.verdict === 'more' ? [verdict.contestsNeeded] : []))
    expect(needed.length).toBeGreaterThan(5)
    for (const contests of needed) expect(contests).toBeGreaterThan(400)
  })

  test('too few contests are compared with none, and the same ones are no better', () => {
    const { candidate, incumbent } = playedBoth({ seed: 4, contests: 200, chances: [0.65, 0.5] })
    expect(verdictOf({ candidate: candidate.slice(0, 45), incumbent, look: 1 })).toMatchObject({
      verdict: 'more',
      contestsNeeded: 200 * (LEAST_PAIRED / 45),
    })
    for (const own of [incumbent, []])
      expect(verdictOf({ candidate: own, incumbent, look: 1 })).toMatchObject({ verdict: 'reject', reason: 'NO_BETTER', p: undefined })
  })

  test('of candidates that are no better, hardly more than the level are promoted', () => {
    const verdicts = verdictsOf(400, { contests: 400, chances: [0.56, 0.56] })
    // 4 %, within two and a half standard errors of 400 tries.
    expect(share(verdicts, ({ verdict }) => verdict === 'promote')).toBeLessThan(0.065)
    expect(share(verdicts, ({ verdict }) => verdict === 'reject')).toBeGreaterThan(0.3)
  })

  test('is promotion exactly where the one-sided test passes and the edge is above 0', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 1e6 }),
        fc.integer({ min: LEAST_PAIRED, max: 400 }),
        fc.double({ min: 0.3, max: 0.7, noNaN: true }),
        fc.double({ min: 0.3, max: 0.7, noNaN: true }),
        fc.integer({ min: 1, max: MOST_LOOKS }),
        (seed, contests, own, other, look) => {
          const runs = playedBoth({ seed, contests, chances: [own, other] })
          const { verdict } = verdictOf({ ...runs, look })
          const paired = pairedEdge(runs.candidate, runs.incumbent)
          const passes = paired !== undefined && paired.difference > 0 && paired.p < 2 * alphaOf(look)
          expect(verdict === 'promote').toBe(passes && paired.edge > 0)
        },
      ),
      { numRuns: runsOf(300) },
    )
  })
})

describe('the power of a look', () => {
  const trainOf = (contests: number, better: number) => {
    const { candidate, incumbent } = playedBoth({ seed: 5, contests, chances: [0.5 + better, 0.5] })
    const paired = pairedEdge(candidate, incumbent)
    if (paired === undefined) throw new Error('they differ')
    return paired
  }

  test('falls with the number of trials, with each look, and with fewer sealed contests', () => {
    const prospect = { train: trainOf(900, 0.08), trials: 40, sealedContests: 600, look: 1 }
    const { power } = powerOf(prospect)
    expect(power).toBeGreaterThan(0.5)
    expect(power).toBeLessThan(1)
    for (const worse of [{ trials: 400 }, { look: 2 }, { sealedContests: 200 }])
      expect(powerOf({ ...prospect, ...worse }).power).toBeLessThan(power)
  })

  test('as many contests as it says give a power of 80 %', () => {
    for (const look of [1, 2, 3]) {
      const prospect = { train: trainOf(900, 0.08), trials: 20, sealedContests: 600, look }
      const { contestsNeeded } = powerOf(prospect)
      expect(powerOf({ ...prospect, sealedContests: contestsNeeded ?? 0 }).power).toBeCloseTo(0.8, 2)
    }
  })

  test('an edge that so many coins would show promises nothing', () => {
    const said = powerOf({ train: trainOf(300, 0.01), trials: 1000, sealedContests: 200, look: 1 })
    expect(said).toMatchObject({ contestsNeeded: null })
    expect(said.shrunkEdge).toBeLessThan(0)
    expect(said.power).toBeLessThan(alphaOf(1))
  })
})
