import type { Metric } from './metric.ts'
import { returnsOf } from './returns.ts'
import { sharpe } from './sharpe.ts'

/**
 * System quality number: √n × mean return ÷ standard deviation (n - 1), the stake being the risk R. n is not capped at
 * 100, as Tharp does to compare systems that trade more or less often: so it is also Student's t of the mean return.
 * Null below 30 observations, and where all returns are equal.
 *
 * Van K. Tharp (2008), Definitive Guide to Position Sizing.
 */
export const sqn: Metric = (bot) => {
  const ratio = sharpe(bot)
  return ratio === null ? null : Math.sqrt(returnsOf(bot.contests).length) * ratio
}
