import { keyedUuid } from '../core/ids.ts'
import type { Agent } from './state.ts'
import { membersOf } from './stateIndex.ts'
import { emit, type Turn } from './turn.ts'
import type { Contest } from './types.ts'

/** Seats an agent whose stake is in play already, and tells everyone in the contest, the agent itself included. */
export function takeSeat(
  turn: Turn,
  contest: Contest,
  agent: Agent,
  seat: { readonly side: string | null; readonly ready: boolean },
): void {
  const { state } = turn
  state.counters.entry += 1
  const entryId = keyedUuid(state.seed, 'entry', state.counters.entry)
  contest.entries.push({ entryId, agentId: agent.agentId, side: seat.side, ready: seat.ready, score: null, result: null, payout: 0n })
  membersOf(state.index, agent.agentId).contests.add(contest)
}

/** Tells everyone in the contest that this seat was taken when `filled` were. */
export function announceSeat(turn: Turn, contest: Contest, filled: number): void {
  const entry = contest.entries[filled - 1]
  if (entry === undefined) return
  const { contestId, capacity, params } = contest
  const userId = params.hidden === true ? null : entry.agentId
  for (const member of contest.entries)
    emit(turn, member.agentId, 'contest.joined', { contestId, userId, side: entry.side, filled, capacity })
}
