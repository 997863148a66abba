import type { BotRun } from '../result.ts'
import { calmar } from './calmar.ts'
import { expectancy } from './expectancy.ts'
import { longestLosingStreak } from './longestLosingStreak.ts'
import { maxDrawdown } from './maxDrawdown.ts'
import type { Metric } from './metric.ts'
import { profitFactor } from './profitFactor.ts'
import { roi } from './roi.ts'
import { sharpe } from './sharpe.ts'
import { sortino } from './sortino.ts'
import { sqn } from './sqn.ts'
import { winRate } from './winRate.ts'

const METRICS = {
  roi,
  winRate,
  sharpe,
  sortino,
  calmar,
  maxDrawdown,
  profitFactor,
  expectancy,
  sqn,
  longestLosingStreak,
} as const satisfies Record<string, Metric>

export type MetricName = keyof typeof METRICS
export const METRIC_NAMES = Object.keys(METRICS) as readonly MetricName[]

export type Metrics = Readonly<Record<MetricName, number | null>>

/** Every metric of a bot's contests, by name; null where there are too few contests for it. */
export function metricsOf(bot: BotRun): Metrics {
  return Object.fromEntries(METRIC_NAMES.map((name) => [name, METRICS[name](bot)])) as Metrics
}
