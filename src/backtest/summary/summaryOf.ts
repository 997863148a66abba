import { describeCoarse, describeHeadline, describeRuin } from '../format/describe.ts'
import { metricsOf } from '../metrics/index.ts'
import { type BacktestRun, type BotRun, type CoarseMode, type ComparedContest, type ContestEnd, type Ghost, RAKE } from '../result.ts'
import { breakdown } from '../statistics/breakdown.ts'
import { edgeOf } from '../statistics/edge.ts'
import { headlineOf } from '../statistics/ground.ts'
import { moneyOf, tallyOf } from '../statistics/tally.ts'
import type { BacktestSummary, BotSummary, ModeSummary } from './summary.ts'

/** One for all runs, so that two of them differ by what was played and not by what was resampled. */
export const INTERVAL_SEED = 1

/** What a run comes to, as `backtest --json` prints it: plain JSON, amounts as digits of micro-USDC. */
export function summaryOf(run: BacktestRun): BacktestSummary {
  return {
    logs: [...run.logs],
    synthetic: run.synthetic,
    bots: run.bots.map((bot) => botSummaryOf(bot, rakeOf(run))),
    priceUpdates: run.priceUpdates,
    events: run.events,
    decisions: run.decisions,
    elapsedMs: run.elapsedMs,
    // A run shorter than a millisecond counts as one.
    updatesPerSecond: Math.round((run.priceUpdates * 1000) / Math.max(run.elapsedMs, 1)),
    fingerprint: run.fingerprint,
    assumptions: run.assumptions.figures.map((figure) => ({ ...figure })),
  }
}

/** As a share of the pot; 0 where nothing is said of it. */
export const rakeOf = ({ assumptions }: Pick<BacktestRun, 'assumptions'>): number =>
  (assumptions.figures.find(({ name }) => name === RAKE)?.value ?? 0) / 10_000

function botSummaryOf(bot: BotRun, rake: number): BotSummary {
  const { staked, profit } = moneyOf(bot.contests)
  const contests = headlineOf(bot)
  const edge = edgeOf(contests, INTERVAL_SEED)
  const money = moneyOf(contests)
  const seats = bot.contests.flatMap(({ others }) => others)
  const from = (source: Ghost['source']) => seats.filter((seat) => seat.source === source).length
  return {
    name: bot.name,
    contests: tallyOf(bot.contests),
    profit: profit.toString(),
    staked: staked.toString(),
    metrics: metricsOf({ ...bot, contests }),
    edge,
    headline: {
      contests: tallyOf(contests),
      staked: money.staked.toString(),
      profit: money.profit.toString(),
      sentence: describeHeadline(bot, edge, rake),
    },
    byMode: byModeOf(bot),
    refused: { ...bot.refused },
    bankroll: bot.bankroll.toString(),
    expired: bot.expired,
    swaps: { ...bot.swaps },
    swapProfit: bot.swapProfit.toString(),
    opponents: { recorded: from('recorded'), reference: from('reference') },
    warnings: [...bot.warnings],
    ...(bot.againstLive === undefined ? {} : { againstLive: comparisonOf(bot.againstLive) }),
    ruined: ruinOf(bot),
    tried: null,
    config: bot.config,
    strategies: bot.strategies.map((strategy) => ({ ...strategy })),
  }
}

function byModeOf({ contests, coarseModes }: BotRun): Record<string, ModeSummary> {
  const groups = breakdown(contests, 'mode', INTERVAL_SEED)
  return Object.fromEntries(
    groups.map(({ label, staked, profit, ...rest }) => {
      const coarse = coarseModes.find(({ mode }) => mode === label)
      const tooCoarse = coarse === undefined ? null : tooCoarseOf(coarse)
      return [label, { ...rest, staked: staked.toString(), profit: profit.toString(), tooCoarse }]
    }),
  )
}

function tooCoarseOf(coarse: CoarseMode): ModeSummary['tooCoarse'] {
  const { durationSec, periodMs, neededPeriodMs } = coarse
  return { durationSec, periodMs, neededPeriodMs, reason: describeCoarse(coarse) }
}

function comparisonOf(contests: readonly ComparedContest[]): NonNullable<BotSummary['againstLive']> {
  const endOf = (end: ContestEnd | null) => (end === null ? null : { result: end.result, profit: end.profit.toString() })
  const rows = contests.flatMap(({ contestId, mode, live, backtest, why }) =>
    why === null ? [] : [{ contestId, mode, live: endOf(live), backtest: endOf(backtest), why }],
  )
  return { same: contests.length - rows.length, different: rows.length, rows }
}

function ruinOf({ ruined }: BotRun): BotSummary['ruined'] {
  if (ruined === null) return null
  const { at, stake, available } = ruined
  return { at, stake: stake.toString(), available: available.toString(), sentence: describeRuin(ruined) }
}
