import { equityOf } from '../statistics/equity.ts'
import type { Metric } from './metric.ts'
import { decidedOf } from './returns.ts'

/**
 * The largest fall of the equity curve from a peak, as a share of that peak: 0.25 is a quarter lost. Equity is the
 * bankroll at the start and the profit of contests that have ended; what is at stake in live ones counts as held.
 * Null without an observation, and where the bot had nothing to fall from.
 *
 * Malik Magdon-Ismail and Amir F. Atiya (2004), Maximum Drawdown, Risk 17(10).
 */
export const maxDrawdown: Metric = (bot) => {
  if (decidedOf(bot.contests).length === 0) return null
  const drawdowns = equityOf(bot).flatMap(({ drawdown }) => drawdown ?? [])
  return drawdowns.length === 0 ? null : drawdowns.reduce((most, drawdown) => Math.max(most, drawdown))
}
