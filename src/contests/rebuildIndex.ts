import { enterQueue, seekerOf } from './matching.ts'
import { dueOfContest, dueOfTicket } from './schedule.ts'
import type { ContestsState } from './state.ts'
import { type ContestsIndex, emptyIndex, membersOf } from './stateIndex.ts'

/** The index of a state, derived anew: after a snapshot, and for the audit. */
export function rebuildIndex({ seed, agents, tickets, contests }: Omit<ContestsState, 'index'>): ContestsIndex {
  const index = emptyIndex(seed)
  for (const agentId of agents.keys()) index.members.set(agentId, { tickets: new Set(), contests: new Set() })
  for (const ticket of tickets.values()) {
    const agent = agents.get(ticket.agentId)
    if (ticket.status !== 'queued' || agent === undefined) continue
    enterQueue(index, ticket, seekerOf(ticket, agent))
    index.due.push(dueOfTicket(ticket))
  }
  for (const contest of contests.values()) {
    if (contest.status !== 'open' && contest.status !== 'live') continue
    index[contest.status].add(contest)
    for (const { agentId } of contest.entries) membersOf(index, agentId).contests.add(contest)
    if (contest.dueAt !== null) index.due.push(dueOfContest(contest, contest.dueAt))
  }
  return index
}
