import { moneyOf } from '../statistics/tally.ts'
import type { Metric } from './metric.ts'
import { decidedOf } from './returns.ts'

/**
 * Return on investment: profit ÷ staked, both over every settled contest, as `start --json` counts them. A refunded
 * stake counts as staked. Null without an observation.
 */
export const roi: Metric = ({ contests }) => {
  if (decidedOf(contests).length === 0) return null
  const { profit, staked } = moneyOf(contests)
  return Number(profit) / Number(staked)
}
