import { mean, rootMeanSquare } from 'simple-statistics'
import { LEAST_FOR_RATIO, type Metric } from './metric.ts'
import { returnsOf } from './returns.ts'

/**
 * Mean return ÷ downside deviation, a contest, with 0 as the return aimed at. The downside deviation is
 * √(Σ min(return, 0)² ÷ n), over all n observations. Null below 30 of them, and where none is negative.
 *
 * Frank A. Sortino and Lee N. Price (1994), Performance Measurement in a Downside Risk Framework, Journal of Investing 3(3).
 */
export const sortino: Metric = ({ contests }) => {
  const returns = returnsOf(contests)
  if (returns.length < LEAST_FOR_RATIO) return null
  const downside = rootMeanSquare(returns.map((value) => Math.min(value, 0)))
  return downside === 0 ? null : mean(returns) / downside
}
