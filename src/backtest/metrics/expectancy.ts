import { mean } from 'simple-statistics'
import type { Metric } from './metric.ts'
import { returnsOf } from './returns.ts'

/**
 * The mean return: what a contest made for each USDC staked, every contest counting alike (in `roi`, every USDC does).
 * It is Tharp's mean R multiple, the stake being the risk R. Null without an observation; how far to trust it is told by
 * the interval of `edgeOf`.
 *
 * Van K. Tharp (1998), Trade Your Way to Financial Freedom.
 */
export const expectancy: Metric = ({ contests }) => {
  const returns = returnsOf(contests)
  return returns.length === 0 ? null : mean(returns)
}
