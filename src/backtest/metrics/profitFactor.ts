import type { Metric } from './metric.ts'
import { decidedOf } from './returns.ts'

/**
 * USDC made in the contests that made some ÷ USDC lost in those that lost some. Null without a loss: the quotient has
 * no value then, and no large number stands in for it.
 *
 * Perry J. Kaufman (2013), Trading Systems and Methods, 5th edition.
 */
export const profitFactor: Metric = ({ contests }) => {
  let made = 0n
  let lost = 0n
  for (const { profit } of decidedOf(contests)) {
    if (profit > 0n) made += profit
    else lost -= profit
  }
  return lost === 0n ? null : Number(made) / Number(lost)
}
