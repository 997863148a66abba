import { enterQueue, seekerOf } from '../entry/matching.ts'
import { dueOfContest, dueOfTicket } from './schedule.ts'
import type { ContestsState } from './state.ts'
import { addMember, type ContestsIndex, emptyIndex, membersOf } from './stateIndex.ts'

/** The index of a state, derived anew: after a snapshot, and for the audit. */
export function rebuildIndex({ seed, agents, tickets, contests }: Omit<ContestsState, 'index'>): ContestsIndex {
  const index = emptyIndex(seed)
  for (const agentId of agents.keys()) addMember(index, seed, agentId)
  for (const ticket of tickets.values()) {
    const agent = agents.get(ticket.agentId)
    if (ticket.status !== 'queued' || agent === undefined) continue
    enterQueue(index, ticket, agent, seekerOf(ticket, agent))
    index.due.push(dueOfTicket(ticket))
  }
  for (const contest of contests.values()) {
    if (contest.status !== 'open' && contest.status !== 'live') continue
    index[contest.status].add(contest)
    for (const { agentId } of contest.entries) {
      const agent = agents.get(agentId)
      if (agent !== undefined) membersOf(index, agent).contests.push(contest)
    }
    if (contest.dueAt !== null) index.due.push(dueOfContest(contest, contest.dueAt))
  }
  return index
}
