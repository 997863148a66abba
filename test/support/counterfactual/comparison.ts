import { quantile } from 'simple-statistics'
import type { BotRun } from '../../../src/backtest/index.ts'
import { isTradingMode, MODES, type Mode } from '../../../src/contract/enums.ts'
import { isEqual, metOf, type Pair, pairsOf } from './pairs.ts'
import type { RealContest } from './playedOnSandbox.ts'

/** How near a backtest came to what really happened, in one mode. */
export interface ModeComparison {
  readonly mode: Mode
  /** Contests of the bot on the sandbox, and in the backtest. */
  readonly real: number
  readonly predicted: number
  readonly paired: number
  /** Pairs of the same result and profit, to the micro-USDC. */
  readonly equal: number
  /** Contests whose result and profit were foretold to the micro-USDC, pairs or not. */
  readonly right: number
  /** Entries of the backtest that the log had no opponent for: a reference opponent played. */
  readonly reference: number
  /** In modes of swaps: what the predicted return is off by, basis points; null without a pair in which both have one. */
  readonly medianBps: number | null
  readonly p90Bps: number | null
  /** In modes of swaps: by how much the clearest of the pairs that are not equal was really decided, basis points; null where all are. */
  readonly upsetBps: number | null
}

export interface Run {
  readonly predicted: BotRun
  readonly real: readonly RealContest[]
}

/** By mode, over all runs. */
export function compare(runs: readonly Run[]): ModeComparison[] {
  return MODES.map((mode) => {
    const real = runs.flatMap((run) => run.real).filter((contest) => contest.mode === mode)
    const predicted = runs.flatMap((run) => run.predicted.contests).filter((contest) => contest.mode === mode)
    const pairs = runs.flatMap((run) => pairsOf(run.predicted, run.real)).filter((pair) => pair.real.mode === mode)
    const errors = isTradingMode(mode) ? pairs.flatMap((pair) => errorBps(pair) ?? []) : []
    const upsets = isTradingMode(mode) ? pairs.filter((pair) => !isEqual(pair)).map(({ real: settled }) => leadBps(settled)) : []
    return {
      mode,
      real: real.length,
      predicted: predicted.length,
      paired: pairs.length,
      equal: pairs.filter(isEqual).length,
      right: runs.flatMap((run) => metOf(run.predicted, run.real)).filter((pair) => pair.real.mode === mode && isEqual(pair)).length,
      reference: predicted.filter(({ others }) => others.some(({ source }) => source === 'reference')).length,
      medianBps: errors.length === 0 ? null : quantile(errors, 0.5),
      p90Bps: errors.length === 0 ? null : quantile(errors, 0.9),
      upsetBps: upsets.length === 0 ? null : Math.max(...upsets),
    }
  })
}

/** What the bots hold at most in a contest, USD: the same for every one of them but for a bag that may be larger. */
const POSITION_USD = 10
/** Modes whose score is no return but has USD in it: a bag that stands scores its value beside the seconds it stood. */
const SCORED_IN_USD: ReadonlySet<Mode> = new Set(['pnl_usd', 'last_bag_standing'])

function errorBps({ predicted, real }: Pair): number | undefined {
  if (predicted.score === null || real.own.score === null) return undefined
  return apartBps(real.mode, predicted.score, real.own.score)
}

/** By how much a contest was won or lost: infinite where somebody has no score. */
function leadBps({ mode, own, others }: RealContest): number {
  const leads = others.map(({ score }) =>
    own.score === null || score === null ? Number.POSITIVE_INFINITY : apartBps(mode, own.score, score),
  )
  return Math.max(...leads)
}

function apartBps(mode: Mode, one: string, other: string): number {
  const unit = SCORED_IN_USD.has(mode) ? POSITION_USD : 1
  return (Math.abs(Number(one) - Number(other)) / unit) * 10_000
}

/** What a median error of a mode's return is held to; and what was decided by no more may come out the other way. */
export const MOST_MEDIAN_BPS = 25

/** In words, where a mode has fewer pairs than that, unequal results where they must be equal, or too large an error. */
export function missesOf(modes: readonly ModeComparison[], leastPairs: number): string[] {
  return modes.flatMap(({ mode, paired, equal, medianBps }) => [
    ...(paired < leastPairs ? [`${mode}: ${paired} pairs, under ${leastPairs}`] : []),
    ...(!isTradingMode(mode) && equal < paired ? [`${mode}: ${paired - equal} of ${paired} pairs differ`] : []),
    ...(medianBps !== null && medianBps >= MOST_MEDIAN_BPS
      ? [`${mode}: off by ${medianBps.toFixed(1)} bps in the median, not under ${MOST_MEDIAN_BPS}`]
      : []),
  ])
}
