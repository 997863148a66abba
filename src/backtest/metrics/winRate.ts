import type { Metric } from './metric.ts'
import { decidedOf } from './returns.ts'

/** Won ÷ (won + lost + drawn). Null without an observation. */
export const winRate: Metric = ({ contests }) => {
  const decided = decidedOf(contests)
  return decided.length === 0 ? null : decided.filter(({ result }) => result === 'WIN').length / decided.length
}
