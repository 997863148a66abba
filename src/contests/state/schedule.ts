import type { Contest, Ticket } from '../types.ts'
import type { ContestsState } from './state.ts'
import type { Due } from './stateIndex.ts'

// The queue of what falls due is cleaned lazily: an entry whose ticket or contest has moved on is
// dropped when it surfaces, so that nothing is ever searched for.

/** Sets when a contest's next transition falls due, in place of the one set before. */
export function scheduleContest({ counters, index }: ContestsState, contest: Contest, at: number): void {
  if (contest.dueAt === at) return
  counters.due += 1
  contest.dueAt = at
  contest.dueOrder = counters.due
  index.due.push(dueOfContest(contest, at))
}

export const dueOfContest = (contest: Contest, at: number): Due => ({ type: 'contest', at, order: contest.dueOrder, contest })

export const dueOfTicket = (ticket: Ticket): Due => ({ type: 'ticket', at: ticket.expiresAt, order: ticket.dueOrder, ticket })

/** What falls due first, still waiting; undefined when nothing will. */
export function peekDue({ index }: ContestsState): Due | undefined {
  for (let due = index.due.peek(); due !== undefined; due = index.due.peek()) {
    if (stands(due)) return due
    index.due.pop()
  }
  return undefined
}

/** Everything that falls due at that instant, left waiting. */
export function allDueAt(state: ContestsState, at: number): Due[] {
  const found: Due[] = []
  for (let due = peekDue(state); due !== undefined && due.at === at; due = peekDue(state)) {
    found.push(due)
    state.index.due.pop()
  }
  for (const due of found) state.index.due.push(due)
  return found
}

/** Whether it still falls due: its ticket is queued, or its contest has not set another time. */
export function stands(due: Due): boolean {
  return due.type === 'ticket' ? due.ticket.status === 'queued' : due.contest.dueOrder === due.order && due.contest.dueAt === due.at
}
