import type { Agent, ContestsState } from '../state/state.ts'
import { membersOf } from '../state/stateIndex.ts'
import { emit, type Turn } from '../turn.ts'
import type { Contest } from '../types.ts'

interface Seat {
  readonly agent: Agent
  readonly side: string | null
  readonly ready: boolean
}

/** Seats an agent whose stake is in play already. */
export function takeSeat(state: ContestsState, contest: Contest, { agent, side, ready }: Seat): void {
  state.counters.entry += 1
  const entryId = state.index.ids.entry(state.counters.entry)
  contest.entries.push({ entryId, agentId: agent.agentId, side, ready, score: null, result: null, payout: 0n })
  membersOf(state.index, agent).contests.push(contest)
}

/** Tells everyone in the contest, who took it included, of the seat that made `filled` of them. */
export function announceSeat(turn: Turn, contest: Contest, filled: number): void {
  const entry = contest.entries[filled - 1]
  if (entry === undefined) return
  const { contestId, capacity, params } = contest
  const userId = params.hidden === true ? null : entry.agentId
  const data = { contestId, userId, side: entry.side, filled, capacity }
  for (const { agentId } of contest.entries) emit(turn, agentId, { type: 'contest.joined', data })
}
