import { metricsOf } from '../metrics/index.ts'
import type { BacktestRun, BotRun, Ghost } from '../result.ts'
import { breakdown } from '../statistics/breakdown.ts'
import { edgeOf } from '../statistics/edge.ts'
import { moneyOf, tallyOf } from '../statistics/tally.ts'
import type { BacktestSummary, BotSummary, ModeSummary } from './summary.ts'

/** One for all runs, so that two of them differ by what was played and not by what was resampled. */
export const INTERVAL_SEED = 1

/** What a run comes to, as `backtest --json` prints it: plain JSON, amounts as digits of micro-USDC. */
export function summaryOf(run: BacktestRun): BacktestSummary {
  return {
    logs: [...run.logs],
    bots: run.bots.map(botSummaryOf),
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

function botSummaryOf(bot: BotRun): BotSummary {
  const { staked, profit } = moneyOf(bot.contests)
  const seats = bot.contests.flatMap(({ others }) => others)
  const from = (source: Ghost['source']) => seats.filter((seat) => seat.source === source).length
  return {
    name: bot.name,
    contests: tallyOf(bot.contests),
    profit: profit.toString(),
    staked: staked.toString(),
    metrics: metricsOf(bot),
    edge: edgeOf(bot.contests, INTERVAL_SEED),
    byMode: byModeOf(bot),
    refused: { ...bot.refused },
    bankroll: bot.bankroll.toString(),
    expired: bot.expired,
    swaps: { ...bot.swaps },
    swapProfit: bot.swapProfit.toString(),
    opponents: { recorded: from('recorded'), reference: from('reference') },
    warnings: [...bot.warnings],
    config: bot.config,
    strategies: bot.strategies.map((strategy) => ({ ...strategy })),
  }
}

function byModeOf({ contests }: BotRun): Record<string, ModeSummary> {
  const groups = breakdown(contests, 'mode', INTERVAL_SEED)
  return Object.fromEntries(
    groups.map(({ label, staked, profit, ...rest }) => [label, { ...rest, staked: staked.toString(), profit: profit.toString() }]),
  )
}
