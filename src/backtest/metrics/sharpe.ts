import { mean } from 'simple-statistics'
import { LEAST_FOR_RATIO, type Metric } from './metric.ts'
import { deviationOf, returnsOf } from './returns.ts'

/**
 * Mean return ÷ standard deviation of the returns (n - 1), a contest, over a riskless return of 0: a stake is out for
 * minutes. Null below 30 observations, and where all returns are equal.
 *
 * William F. Sharpe (1994), The Sharpe Ratio, Journal of Portfolio Management 21(1): the ratio ex post.
 */
export const sharpe: Metric = ({ contests }) => {
  const returns = returnsOf(contests)
  if (returns.length < LEAST_FOR_RATIO) return null
  const deviation = deviationOf(returns)
  return deviation === null ? null : mean(returns) / deviation
}
