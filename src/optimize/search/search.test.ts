import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { runsOf } from '../../../test/support/suite/cases.ts'
import type { PairedContest } from '../../backtest/statistics/pairedEdge.ts'
import { draw, keyedRandom } from '../../core/random.ts'
import { usdc } from '../../core/usdc.ts'
import { rungsOf } from './blockOrder.ts'
import type { Dimension, Values } from './dimension.ts'
import { type SearchOptions, type SearchProgress, search } from './search.ts'
import { keyOf, type SpaceParts, spaceFrom } from './space.ts'
import type { BlockOutcome, PlayBlocks, TrialJob } from './trial.ts'

const numbers = (...names: readonly string[]) =>
  names.map((name): Dimension => ({ kind: 'range', name, low: 0, high: 1, step: 0.01, scale: 'linear' }))
const CONTESTS = 32
const BLOCKS = Array.from({ length: 20 }, () => CONTESTS)
const TRAIN = 20 * CONTESTS

/** The chance to win at a place: 0.8 at (0.7, 0.3), and 0.4 far from it. */
const chanceAt = ({ x, y }: Values): number => 0.4 + 0.4 * Math.exp(-((Number(x) - 0.7) ** 2 + (Number(y) - 0.3) ** 2) / 0.08)

interface World {
  readonly chance?: (values: Values) => number
  readonly contestsOf?: (values: Values) => number
}
/** Contests of which three in four come out by luck that befalls all. */
function playedIn(
  { values, block }: Pick<TrialJob, 'values' | 'block'>,
  { chance = chanceAt, contestsOf = () => CONTESTS }: World = {},
): BlockOutcome {
  const [common, own] = [keyedRandom('common', block), keyedRandom('own', block, JSON.stringify(values))]
  const contests = Array.from({ length: contestsOf(values) }, (_, index): PairedContest => {
    const luck = common.next() < 0.75 ? common.next() : own.next()
    const isWon = luck < chance(values)
    const at = block * 10_000 + index
    return {
      ...{ contestId: `${block}-${index}`, enteredAt: at, startsAt: at, stake: usdc('1'), swapProfit: 0n },
      ...{ profit: isWon ? usdc('0.9') : -usdc('1'), result: isWon ? 'WIN' : 'LOSS' },
    }
  })
  return { contests, fingerprint: `${block} ${JSON.stringify(values)}` }
}
const playing =
  (world?: World): PlayBlocks =>
  (jobs) =>
    Promise.resolve(jobs.map((job) => playedIn(job, world)))

const plane = (parts: Partial<SpaceParts> = {}) => spaceFrom({ dimensions: numbers('x', 'y'), incumbent: { x: 0.1, y: 0.9 }, ...parts })
const searched = (options: Partial<SearchOptions> = {}) =>
  search({ space: plane(), blocks: BLOCKS, seed: 1, budget: 20, kind: 'tpe', play: playing(), ...options })

describe('the search', () => {
  test('finds what is better, and says by how much', async () => {
    const { trials, winner, tried, ended } = await searched({ budget: 30 })
    expect(chanceAt(winner?.values ?? {})).toBeGreaterThan(0.75)
    expect(winner).toMatchObject({ state: 'finished', contests: TRAIN, rung: 3 })
    expect(winner?.paired?.low).toBeGreaterThan(0.3)
    expect(winner?.paired?.mean).toBeCloseTo((winner?.edge ?? 0) - (trials[0]?.edge ?? 0), 12)
    expect(winner?.drawdown).toBeGreaterThan(0n)
    expect(winner?.pairedFirst?.mean).not.toBe(winner?.paired?.mean)
    for (const { rung, paired, pairedFirst } of trials) if (rung === 1) expect(pairedFirst).toEqual(paired)
    expect(ended).toBe('budget')
    expect(tried).toBe(trials.length - 1 - trials.filter(({ state }) => state === 'twin').length)
    const finished = trials.filter(({ state, index }) => state === 'finished' && index > 0)
    expect(Math.max(...finished.map(({ paired }) => paired?.mean ?? 0))).toBe(winner?.paired?.mean)
  })

  test('first plays the incumbent whole, and at least twenty others the first rung', async () => {
    const barriers: (readonly TrialJob[])[] = []
    await searched({
      play: (jobs) => {
        barriers.push(jobs)
        return playing()(jobs)
      },
    })
    const [first = []] = barriers
    const blocksOf = (trial: number) => first.filter((job) => job.trial === trial).map(({ block }) => block)
    expect(new Set(blocksOf(0))).toEqual(new Set(BLOCKS.keys()))
    for (let trial = 1; trial <= 20; trial++) expect(blocksOf(trial)).toEqual(blocksOf(0).slice(0, 8))
    expect(Math.max(...first.map(({ trial }) => trial))).toBe(20)
  })

  test('is the same however many blocks are played at once, and in any order', async () => {
    const shuffled =
      (seed: number): PlayBlocks =>
      async (jobs) => {
        const outcomes: (BlockOutcome | undefined)[] = jobs.map(() => undefined)
        for (const index of draw(keyedRandom(seed), [...jobs.keys()], jobs.length)) {
          const job = jobs[index]
          await Promise.resolve()
          if (job !== undefined) outcomes[index] = playedIn(job)
        }
        return outcomes
      }
    const plain = await searched()
    for (const seed of [1, 2]) expect(await searched({ play: shuffled(seed) })).toEqual(plain)
    expect((await searched({ seed: 2 })).trials[1]?.values).not.toEqual(plain.trials[1]?.values)
  })

  test('asks for the same again where results are there already: it can be taken up', async () => {
    const stored = new Map<string, BlockOutcome>()
    const keyOfJob = ({ trial, block }: TrialJob) => `${trial} ${block}`
    const storing: PlayBlocks = (jobs) => {
      for (const job of jobs) if (!stored.has(keyOfJob(job))) stored.set(keyOfJob(job), playedIn(job))
      return Promise.resolve(jobs.map((job) => stored.get(keyOfJob(job))))
    }
    let barriers = 0
    const ending: PlayBlocks = (jobs) => {
      barriers += 1
      return barriers > 3 ? Promise.reject(new Error('killed')) : storing(jobs)
    }
    await expect(searched({ play: ending })).rejects.toThrow('killed')
    expect(stored.size).toBeGreaterThan(100)
    expect(await searched({ play: storing })).toEqual(await searched())
  })

  test('keeps to its budget, and no trial plays a block twice or out of turn', async () => {
    const [kinds, budgets] = [fc.constantFrom<SearchOptions['kind']>('tpe', 'random'), fc.integer({ min: 3, max: 14 })]
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 0, max: 1000 }),
        budgets,
        kinds,
        fc.integer({ min: 6, max: 30 }),
        async (seed, budget, kind, count) => {
          const blocks = Array.from({ length: count }, (_, block) => 20 + ((block * 7) % 13))
          let played = 0
          const play: PlayBlocks = (jobs) => {
            for (const { block } of jobs) played += blocks[block] ?? 0
            return playing()(jobs)
          }
          const { trials, spent } = await searched({ seed, budget, kind, blocks, play })
          expect(spent).toBe(played)
          expect(spent).toBeLessThanOrEqual(budget * blocks.reduce((sum, contests) => sum + contests, 0))
          const order = trials[0]?.blocks.map(({ block }) => block) ?? []
          const rungs = rungsOf(order.map((block) => blocks[block] ?? 0))
          for (const trial of trials) {
            expect(trial.blocks.map(({ block }) => block)).toEqual(order.slice(0, trial.blocks.length))
            expect(trial.blocks.length).toBe(trial.rung === 0 ? 0 : rungs[trial.rung - 1])
            expect(trial.state === 'finished').toBe(trial.rung === rungs.length)
          }
          expect(trials.filter(({ state }) => state === 'finished').length).toBeGreaterThan(1)
        },
      ),
      { numRuns: runsOf(100) },
    )
  })

  test('drops what is clearly behind, and keeps at least four of the first generation', async () => {
    const { trials } = await searched({ budget: 30 })
    const first = trials.filter(({ generation, index }) => generation === 0 && index > 0)
    expect(first.filter(({ rung }) => rung > 1).length).toBeGreaterThanOrEqual(4)
    // Half of the twenty, without those that the leader is clearly ahead of.
    expect(first.filter(({ rung }) => rung > 1).length).toBeLessThan(10)
    const far = first.filter(({ values }) => chanceAt(values) < 0.45)
    expect(far.length).toBeGreaterThan(5)
    expect(far.filter(({ state }) => state === 'fell')).toEqual(far)
  })

  test('who never enters comes last, even where all others lose more than the incumbent', async () => {
    const contestsOf = ({ x }: Values) => (Number(x) < 0.5 && x !== 0.1 ? 0 : CONTESTS)
    const { trials } = await searched({ play: playing({ contestsOf, chance: ({ x }) => (x === 0.1 ? 0.5 : 0.3) }) })
    expect(trials.filter(({ contests, rung }) => contests === 0 && rung > 0).length).toBeGreaterThan(5)
    // In a later generation of such alone one has to stay.
    expect(trials.filter(({ contests, rung, generation }) => contests === 0 && rung > 1 && generation === 0)).toEqual([])
  })

  test('proposes what was not tried while there is some', async () => {
    const dimensions: readonly Dimension[] = [{ kind: 'range', name: 'x', low: 0, high: 1, step: 0.02, scale: 'linear' }]
    const { trials } = await searched({
      space: spaceFrom({ dimensions, incumbent: { x: 0.1 } }),
      play: playing({ chance: ({ x }) => Number(x) }),
    })
    expect(trials.filter(({ state, generation }) => state === 'twin' && generation === 1).length).toBeLessThan(2)
  })

  test('has no winner where none is better', async () => {
    const { winner, trials } = await searched({ play: playing({ chance: ({ x }) => (x === 0.1 ? 0.6 : 0.4) }), budget: 4 })
    expect(trials.filter(({ state }) => state === 'finished').length).toBeGreaterThan(1)
    expect(winner).toBeUndefined()
  })

  test('who never enters is no better, and a few lucky contests are not the best there is', async () => {
    const contestsOf = ({ x, y }: Values) => (Number(x) < 0.3 && Number(y) < 0.5 ? 0 : Number(y) > 0.8 && Number(x) > 0.2 ? 1 : CONTESTS)
    const chance = (values: Values) => (contestsOf(values) === 1 ? 0.85 : chanceAt(values))
    const { winner, trials } = await searched({ play: playing({ contestsOf, chance }), budget: 20 })
    const idle = trials.filter(({ contests, rung }) => contests === 0 && rung > 0)
    expect(idle.length).toBeGreaterThan(0)
    for (const trial of idle) expect(trial).toMatchObject({ state: 'fell', edge: undefined, paired: undefined })
    expect(winner?.contests).toBe(TRAIN)
  })
})

describe('twins', () => {
  test('values that were played are not played again, and two generations of twins end it', async () => {
    const space = spaceFrom({ dimensions: [{ kind: 'choice', name: 'x', values: [0.1, 0.7] }], incumbent: { x: 0.1 } })
    const jobs: TrialJob[] = []
    for (const kind of ['tpe', 'random'] as const) {
      const { trials, ended, tried } = await searched({
        ...{ space, kind, budget: 100 },
        play: (all) => {
          jobs.push(...all)
          return playing({ chance: ({ x }) => Number(x) })(all)
        },
      })
      expect(ended).toBe('twins')
      expect(tried).toBe(1)
      // The incumbent, the first generation, and two of ten.
      expect(trials).toHaveLength(41)
      expect(trials.filter(({ state }) => state === 'twin').every(({ rung, blocks }) => rung === 0 && blocks.length === 0)).toBe(true)
    }
    expect(new Set(jobs.map(({ trial }) => trial)).size).toBe(2)
  })

  test('who decides as another in the whole first rung is that one', async () => {
    // Only the first digit of x matters.
    const rounded = (values: Values) => ({ x: Math.floor(10 * Number(values.x)) / 10, y: values.y ?? 0 })
    const play: PlayBlocks = (jobs) => Promise.resolve(jobs.map((job) => playedIn({ ...job, values: rounded(job.values) })))
    // A hundred values of x that come up once each, and twenty that come up again.
    for (const step of [0.01, 0.05]) {
      const x: Dimension = { kind: 'range', name: 'x', low: 0, high: 1, step, scale: 'linear' }
      const space = spaceFrom({ dimensions: [x, { kind: 'choice', name: 'y', values: [0.3] }], incumbent: { x: 0.1, y: 0.3 } })
      const { trials, ended } = await searched({ space, play, budget: 60, kind: step === 0.01 ? 'tpe' : 'random' })
      const twins = trials.filter(({ state }) => state === 'twin')
      const played = twins.filter(({ blocks }) => blocks.length > 0)
      expect(played.length).toBeGreaterThan(5)
      expect(played.every(({ rung }) => rung === 1)).toBe(true)
      for (const { values, twinOf, index } of twins) {
        const other = trials[twinOf ?? -1]
        expect(rounded(other?.values ?? {})).toEqual(rounded(values))
        expect(other?.state).not.toBe('twin')
        expect(twinOf).toBeLessThan(index)
      }
      expect(ended).toBe('twins')
    }
  })
})

describe('what fails', () => {
  const failingWhere =
    (fails: (job: TrialJob) => boolean): PlayBlocks =>
    (jobs) =>
      Promise.resolve(jobs.map((job) => (fails(job) ? undefined : playedIn(job))))

  test('a trial of which a block fails is counted, and never the winner', async () => {
    // The best fifth of all places cannot be played.
    const isBest = (values: Values) => chanceAt(values) > 0.7
    const { trials, winner, tried } = await searched({ budget: 8, kind: 'random', play: failingWhere(({ values }) => isBest(values)) })
    const failed = trials.filter(({ state }) => state === 'failed')
    expect(failed.length).toBeGreaterThan(0)
    expect(failed.every(({ values }) => isBest(values))).toBe(true)
    expect(winner).toBeDefined()
    expect(isBest(winner?.values ?? {})).toBe(false)
    expect(tried).toBe(trials.length - 1)
  })

  test('a quarter of them may, and no more', async () => {
    const failingFirst = (count: number) => failingWhere(({ trial, block }) => trial > 0 && trial <= count && block >= 0)
    // Of the first barrier's 21.
    await expect(searched({ play: failingFirst(6) })).rejects.toThrow(expect.objectContaining({ code: 'STRATEGY_FAILED' }))
    const { trials } = await searched({ play: failingFirst(5) })
    expect(trials.filter(({ state }) => state === 'failed')).toHaveLength(5)
  })

  test('where the incumbent fails nothing can be compared', async () => {
    await expect(searched({ play: failingWhere(({ trial, block }) => trial === 0 && block === 3) })).rejects.toThrow(
      'the bot as it is did not come to an end',
    )
  })

  test('what strategies refuse is drawn anew, and is no trial', async () => {
    const isAllowed = ({ x, y }: Values) => Number(x) > Number(y)
    for (const kind of ['tpe', 'random'] as const) {
      const { trials } = await searched({ kind, space: plane({ isAllowed }) })
      expect(trials.length).toBeGreaterThan(30)
      expect(trials.slice(1).every(({ values }) => isAllowed(values))).toBe(true)
    }
    const refused = searched({ space: plane({ isAllowed: () => false }) })
    await expect(refused).rejects.toThrow(expect.objectContaining({ code: 'SPACE_EMPTY' }))
  })
})

test('tells at every barrier how far it is, and who leads', async () => {
  const told: SearchProgress[] = []
  const { trials, winner, spent } = await searched({ onProgress: (progress) => told.push(progress) })
  expect(told.map(({ generation }) => generation)).toEqual(told.map(({ generation }) => generation).toSorted((a, b) => a - b))
  expect(told[0]).toMatchObject({ generation: 0, rung: 1, rungs: 3, trials: 21, leader: undefined, budget: 20 * TRAIN })
  const last = told.at(-1)
  expect(last).toMatchObject({
    trials: trials.length,
    spent,
    leader: { trial: winner?.index, values: winner?.values, paired: winner?.paired },
  })
})

test('points lie in other places with another seed, and each once', async () => {
  const { trials } = await searched({ kind: 'random' })
  const played = trials.filter(({ state }) => state !== 'twin').map(({ values }) => keyOf(plane(), values))
  expect(new Set(played).size).toBe(played.length)
})
