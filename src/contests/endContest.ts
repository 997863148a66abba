import type { ContestsState } from './state.ts'
import { membersOf } from './stateIndex.ts'
import type { Contest } from './types.ts'

/** Ends a contest: nothing falls due in it any more, and it leaves every index. Stakes are the caller's. */
export function endContest({ now, index }: ContestsState, contest: Contest, status: 'settled' | 'cancelled'): void {
  contest.status = status
  contest.endedAt = now
  contest.dueAt = null
  index.open.delete(contest)
  index.live.delete(contest)
  for (const { agentId } of contest.entries) membersOf(index, agentId).contests.delete(contest)
}
