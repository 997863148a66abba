import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { testBot, testContest } from '../../../test/support/backtest/testRun.ts'
import { resultSchema } from '../../contract/enums.ts'
import { edgeOf } from '../statistics/edge.ts'
import { METRIC_NAMES, metricsOf } from './index.ts'
import { LEAST_FOR_RATIO } from './metric.ts'

const row = z.tuple([resultSchema.nullable(), z.int(), z.int()])
const figuresSchema = z.object({
  origin: z.string(),
  cases: z.array(
    z.object({ name: z.string(), bankroll: z.int(), contests: z.array(row), figures: z.record(z.string(), z.number().nullable()) }),
  ),
})
const FILE = new URL('../../../test/data/metrics/figures.json', import.meta.url)
const { origin, cases } = figuresSchema.parse(JSON.parse(readFileSync(FILE, 'utf8')))

const botOf = (rows: readonly z.infer<typeof row>[], bankroll: number) =>
  testBot({
    bankroll: BigInt(bankroll),
    contests: rows.map(([result, stake, profit]) => testContest({ result, stake: BigInt(stake), profit: BigInt(profit) })),
  })

const LARGEST_RELATIVE_ERROR = 1e-12

function expectClose(value: number | null, expected: number | null | undefined, name: string): void {
  if (value === null || expected === null || expected === undefined) {
    expect(value, name).toBe(expected)
  } else {
    const error = Math.abs(value - expected)
    expect(error, `${name}: ${value} is not ${expected}`).toBeLessThanOrEqual(LARGEST_RELATIVE_ERROR * Math.abs(expected))
  }
}

describe(`the figures of ${origin}`, () => {
  test.each(cases)('$name', ({ bankroll, contests, figures }) => {
    const bot = botOf(contests, bankroll)
    const metrics = metricsOf(bot)
    for (const name of METRIC_NAMES) expectClose(metrics[name], figures[name], name)
    expectClose(edgeOf(bot.contests, 1).contestsNeeded, figures.edgeNeeds, 'contests needed')
  })

  test('leave no metric out, and have a value for each somewhere', () => {
    for (const name of METRIC_NAMES)
      expect(
        cases.some(({ figures }) => typeof figures[name] === 'number'),
        name,
      ).toBe(true)
  })
})

const micro = fc.integer({ min: 10_000, max: 50_000_000 })
const anyRow = fc
  .tuple(fc.constantFrom('WIN', 'LOSS', 'DRAW', 'REFUND', null), micro, fc.integer({ min: -100, max: 300 }))
  .map(([result, stake, percent]): z.infer<typeof row> => {
    const isDecided = result !== null && result !== 'REFUND'
    return [result, stake, isDecided ? Math.max(-stake, Math.trunc((stake * percent) / 100)) : 0]
  })

describe('metricsOf', () => {
  test('gives finite numbers or null, whatever was played', () => {
    fc.assert(
      fc.property(fc.array(anyRow, { maxLength: 80 }), fc.integer({ min: 0, max: 100_000_000 }), (rows, bankroll) => {
        for (const [name, value] of Object.entries(metricsOf(botOf(rows, bankroll)))) {
          expect(value === null || Number.isFinite(value), `${name}: ${value}`).toBe(true)
        }
      }),
      { numRuns: 300 },
    )
  })

  test('leaves refunded and cancelled contests out of the observations', () => {
    fc.assert(
      fc.property(fc.array(anyRow, { maxLength: 80 }), (rows) => {
        const decided = rows.filter(([result]) => result !== null && result !== 'REFUND')
        // A refunded stake was staked: it is in the return on investment alone.
        expect({ ...metricsOf(botOf(rows, 9_000_000)), roi: 0 }).toEqual({ ...metricsOf(botOf(decided, 9_000_000)), roi: 0 })
      }),
    )
  })

  test('has ratios from the thirtieth observation on', () => {
    const contests = Array.from({ length: LEAST_FOR_RATIO }, (_, index) =>
      index % 3 === 0 ? testContest({ result: 'LOSS', profit: -1_000_000n }) : testContest(),
    )
    const ratios = ({ sharpe, sortino, calmar, sqn }: ReturnType<typeof metricsOf>) => [sharpe, sortino, calmar, sqn]
    expect(ratios(metricsOf(testBot({ contests })))).toEqual(Array(4).fill(expect.any(Number)))
    expect(ratios(metricsOf(testBot({ contests: contests.slice(1) })))).toEqual([null, null, null, null])
  })
})
