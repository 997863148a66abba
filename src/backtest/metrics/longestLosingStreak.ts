import type { Metric } from './metric.ts'
import { decidedOf } from './returns.ts'

/**
 * The most contests lost one after another, in the order of their ends. A draw or a win ends a streak; a refund neither
 * ends nor lengthens it, as in the guard. Null without an observation.
 */
export const longestLosingStreak: Metric = ({ contests }) => {
  const decided = decidedOf(contests)
  if (decided.length === 0) return null
  let longest = 0
  let streak = 0
  for (const { result } of decided) {
    streak = result === 'LOSS' ? streak + 1 : 0
    longest = Math.max(longest, streak)
  }
  return longest
}
