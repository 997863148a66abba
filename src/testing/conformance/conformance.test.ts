import { setTimeout as setTimeoutOfTimers } from 'node:timers'
import { scheduler, setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { PLANTED_FAULTS, thinker } from '../../../test/support/plantedFaults.ts'
import { casesOf } from '../../../test/support/suite/cases.ts'
import { defineDraftPicker } from '../../strategy/define.ts'
import { conformance, expectConformance } from './conformance.ts'
import { RULES } from './rules.ts'

const rulesFound = async (strategy: Parameters<typeof conformance>[0], seeds: readonly number[] = [1]) => {
  const { problems } = await conformance(strategy, { seeds })
  return problems.map(({ rule }) => rule)
}

const pick = ({ draft }: { draft: { available: readonly string[] } }) => draft.available[0]
const sound = defineDraftPicker({ name: 'sound', params: z.object({}), pick })

describe('conformance', () => {
  // One for each rule, or all of them.
  const planted = casesOf(PLANTED_FAULTS, ({ rule }, index) => PLANTED_FAULTS.findIndex((other) => other.rule === rule) === index)
  test.each(planted)('finds a strategy that $what, by its rule and by no other', async ({ rule, strategy }) => {
    expect(await rulesFound(strategy)).toEqual([rule])
  })

  test('every rule has a planted fault', () => {
    expect(new Set(PLANTED_FAULTS.map(({ rule }) => rule))).toEqual(new Set(Object.keys(RULES)))
    expect(PLANTED_FAULTS.slice(0, 10).map(({ rule }) => rule)).toHaveLength(10)
  })

  test('says where and what to do, and throws it for a test', async () => {
    const [, taken] = PLANTED_FAULTS
    if (taken === undefined) throw new Error('nothing is planted')
    const report = await conformance(taken.strategy, { seeds: [1, 2] })
    expect(report.ok).toBe(false)
    expect(report.problems).toEqual([
      expect.objectContaining({ rule: 'token-not-available', seed: 1, scenario: 'calm', hint: RULES['token-not-available'] }),
      expect.objectContaining({ rule: 'token-not-available', seed: 2 }),
    ])
    expect(() => report.assert()).toThrow(
      expect.objectContaining({
        code: 'STRATEGY_NOT_CONFORMING',
        message: expect.stringMatching(
          /strategy faulty breaks its contract .*\n {2}token-not-available: it picked .* which (?:it has itself|the others have)\n.*seed 1, calm, contest .*, input \d+; 1 more seed\n/,
        ),
      }),
    )
    await expect(expectConformance(taken.strategy, { seeds: 1 })).rejects.toThrow('token-not-available')
  })

  test('passes a sound strategy, and says how much it saw of it', async () => {
    const report = await conformance(sound())
    expect(report).toMatchObject({ ok: true, seeds: [1, 2], problems: [] })
    expect(report.contests).toBeGreaterThan(50)
    expect(report.calls).toBeGreaterThan(100)
    report.assert()
  })

  test('equal seeds give equal reports, other seeds other contests', async () => {
    const [, taken] = PLANTED_FAULTS
    if (taken === undefined) throw new Error('nothing is planted')
    const report = async (seed: number) => {
      const { assert: _, ...rest } = await conformance(taken.strategy, { seeds: [seed] })
      return rest
    }
    expect(await report(3)).toEqual(await report(3))
    expect((await report(4)).problems[0]?.contestId).not.toBe((await report(3)).problems[0]?.contestId)
  })

  test('one that calls out may look at the clock and draw: a replay plays its answers back', async () => {
    const asks = (external: boolean) =>
      defineDraftPicker({
        name: 'model',
        params: z.object({}),
        external,
        pick: ({ draft }) => draft.available[Math.floor((Date.now() + Math.random()) % draft.available.length)],
      })()
    expect(await rulesFound(asks(true))).toEqual([])
    expect((await rulesFound(asks(false))).toSorted()).toEqual(['own-randomness', 'wall-clock'])
  })

  test.each<readonly [string, () => unknown]>([
    ['process.hrtime()', () => process.hrtime()],
    ['process.hrtime.bigint()', () => process.hrtime.bigint()],
    ['process.uptime()', () => process.uptime()],
    ['setTimeout() of node:timers', () => setTimeoutOfTimers(() => {}, 0)],
    ['setTimeout() of node:timers/promises', () => sleep(0)],
    ['scheduler.wait()', () => scheduler.wait(0)],
  ])('finds %s', async (what, use) => {
    const asks = defineDraftPicker({
      name: 'waits',
      params: z.object({}),
      async pick({ draft }) {
        await use()
        return draft.available[0]
      },
    })
    const { problems } = await conformance(asks(), { seeds: [1] })
    expect(problems.map(({ rule }) => rule)).toEqual(['wall-clock'])
    expect(problems[0]?.message).toContain(what)
  })

  test('leaves the clock and chance of the process as they were', async () => {
    const before = [Date, Date.now, Math.random, setTimeout, performance.now, crypto.randomUUID]
    await conformance(sound(), { seeds: 1 })
    expect([Date, Date.now, Math.random, setTimeout, performance.now, crypto.randomUUID]).toEqual(before)
    expect(new Date()).toBeInstanceOf(Date)
  })

  test('a budget of its own is held, and so is a number of swaps', async () => {
    const [swaps] = PLANTED_FAULTS.filter(({ what }) => what === 'swaps at every price')
    if (swaps === undefined) throw new Error('it is not planted')
    expect((await conformance(swaps.strategy, { seeds: [1], maxSwapsPerContest: 500 })).ok).toBe(true)
    const slow = () => {
      const think = thinker(60)
      const pickSlowly = (context: Parameters<typeof pick>[0]) => {
        think()
        return pick(context)
      }
      return defineDraftPicker({ name: 'slow', params: z.object({}), pick: pickSlowly })()
    }
    expect(await rulesFound(slow())).toEqual(['slow'])
    expect((await conformance(slow(), { seeds: [1], budgetMs: 500 })).ok).toBe(true)
  })

  test.each([0, [], 1.5, [Number.NaN]])('seeds = %j are refused', async (seeds) => {
    await expect(conformance(sound(), { seeds })).rejects.toThrow(/seeds = /)
  })
})
