import type { BacktestRun, PlayedContest } from './result.ts'

/**
 * The contests of a run as NDJSON, one a line, in the order of their ends, a bot after the other. Amounts are digit strings in micro-USDC,
 * times Unix milliseconds. `source` says whether every opponent's score was the log's.
 *
 * @example
 * ```ts
 * import { writeFileSync } from 'node:fs'
 * import { backtest, contestRows } from 'cornerman/backtest'
 * import config from './bots.config.ts'
 *
 * writeFileSync('rows.ndjson', contestRows(await backtest({ config, logs: ['.cornerman/recordings/alice'], seed: 1 })))
 * ```
 */
export const contestRows = ({ bots }: Pick<BacktestRun, 'bots'>): string =>
  bots.flatMap(({ name, contests }) => contests.map((contest) => `${JSON.stringify(rowOf(name, contest))}\n`)).join('')

function rowOf(bot: string, contest: PlayedContest): object {
  const { contestId, mode, opponents, stake, durationSec, enteredAt, startsAt, endedAt, result, payout, profit, swapProfit, score } =
    contest
  const others = contest.others.map(({ kind, source, side, score: other }) => ({ kind, source, side, score: other }))
  return {
    ...{ bot, contestId, mode, opponents, stake: String(stake), durationSec, enteredAt, startsAt, endedAt, result },
    ...{ payout: String(payout), profit: String(profit), swapProfit: String(swapProfit), score, others },
    source: others.some(({ source }) => source === 'reference') ? 'reference' : 'recorded',
  }
}
