import { moneyOf } from '../statistics/tally.ts'
import { maxDrawdown } from './maxDrawdown.ts'
import { LEAST_FOR_RATIO, type Metric } from './metric.ts'
import { decidedOf } from './returns.ts'

/**
 * (Profit ÷ bankroll at the start) ÷ maximum drawdown. Its time span is the whole run, from the first input to the
 * last end of a contest, and its return is of that span: Young's is of three years, and hours made into years would
 * say nothing. Compare it between runs of one log only. Null below 30 observations, and without a drawdown or a bankroll.
 *
 * Terry W. Young (1991), Calmar Ratio: A Smoother Tool, Futures 20(1).
 */
export const calmar: Metric = (bot) => {
  if (decidedOf(bot.contests).length < LEAST_FOR_RATIO || bot.bankroll === 0n) return null
  const drawdown = maxDrawdown(bot)
  if (drawdown === null || drawdown === 0) return null
  return Number(moneyOf(bot.contests).profit) / Number(bot.bankroll) / drawdown
}
