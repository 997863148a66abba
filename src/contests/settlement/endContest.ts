import type { Agent, ContestsState } from '../state/state.ts'
import { membersOf, takeOut } from '../state/stateIndex.ts'
import type { Contest } from '../types.ts'

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
  if (contest.status === 'open') index.open.delete(contest)
  else index.live.delete(contest)
  contest.status = status
  contest.endedAt = now
  contest.dueAt = null
  for (const agent of seated) takeOut(membersOf(index, agent).contests, contest)
}
