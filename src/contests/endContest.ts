import type { Agent, ContestsState } from './state.ts'
import { membersOf } from './stateIndex.ts'
import type { Contest } from './types.ts'

/**
 * Ends a contest: nothing falls due in it any more, and it leaves every index. Stakes are the caller's.
 *
 * @param seated the agents in it
 */
export function endContest(
  { now, index }: ContestsState,
  contest: Contest,
  seated: readonly Agent[],
  status: 'settled' | 'cancelled',
): void {
  contest.status = status
  contest.endedAt = now
  contest.dueAt = null
  index.open.delete(contest)
  index.live.delete(contest)
  for (const agent of seated) membersOf(index, agent).contests.delete(contest)
}
