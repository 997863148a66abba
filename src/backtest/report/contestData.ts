import { symbolOf } from '../../core/tokens.ts'
import { formatUsdc } from '../../core/usdc.ts'
import type { BotRun, Ghost, PlayedContest, PlayedMove, PriceLine } from '../result.ts'
import { equityOf } from '../statistics/equity.ts'
import { headlineOf } from '../statistics/ground.ts'

/**
 * What the browser draws of a bot, as compact JSON: amounts are texts to be shown, instants of a contest are
 * milliseconds since its entry, prices are numbers, which is all a chart can do with them.
 */
export function chartDataOf(bot: BotRun): unknown {
  const { bankroll } = bot
  const contests = headlineOf(bot)
  const curve = equityOf({ bankroll, contests })
  const [first] = contests
  return {
    start: first === undefined ? null : { at: first.enteredAt, equity: Number(formatUsdc(bankroll)) },
    at: curve.map(({ at }) => at),
    equity: curve.map(({ equity }) => Number(formatUsdc(equity))),
    drawdown: curve.map(({ drawdown }) => drawdown),
    contests: bot.contests.map(contestData),
  }
}

function contestData(contest: PlayedContest) {
  const { contestId, mode, opponents, durationSec, enteredAt, result, score, moves, others, prices } = contest
  const since = (at: number | null) => (at === null ? null : at - enteredAt)
  return {
    ...{ contestId, mode, opponents, durationSec, enteredAt, result: result ?? 'CANCELLED', score },
    ...{ starts: since(contest.startsAt), ends: since(contest.endsAt), ended: since(contest.endedAt) },
    ...{ stake: formatUsdc(contest.stake), payout: formatUsdc(contest.payout), profit: formatUsdc(contest.profit) },
    moves: movesData(moves, enteredAt),
    others: others.map((ghost) => ghostData(ghost, enteredAt)),
    prices: prices.map((line) => priceData(line, enteredAt)),
  }
}

const movesData = (moves: readonly PlayedMove[], from: number) => moves.map(({ at, text }) => [at - from, text])

function ghostData({ kind, source, side, score, moves }: Ghost, from: number) {
  return { kind, source, side, score, moves: movesData(moves, from) }
}

function priceData({ mint, points }: PriceLine, from: number) {
  return { symbol: symbolOf(mint), at: points.map(([at]) => at - from), price: points.map(([, price]) => Number(price)) }
}
