import { noTicket } from '../refuse.ts'
import { agentOf, type ContestsState } from '../state/state.ts'
import { membersOf } from '../state/stateIndex.ts'
import { isoOf } from '../turn.ts'
import type { Ticket } from '../types.ts'
import { type Answer, answer } from './page.ts'

export type TicketRecord = ReturnType<typeof ticketRecord>

/** One of the agent's own tickets. */
export function ticketView({ tickets }: ContestsState, ticketId: string, viewerId: string): Answer<TicketRecord> {
  const ticket = tickets.get(ticketId)
  return ticket?.agentId === viewerId ? answer(ticketRecord(ticket)) : noTicket(ticketId)
}

/** The agent's last 20 tickets, newest first. */
export function ticketsOf(state: ContestsState, agentId: string): TicketRecord[] {
  const ids = agentOf(state, agentId).ticketIds.toReversed()
  return ids.flatMap((ticketId) => {
    const ticket = state.tickets.get(ticketId)
    return ticket === undefined ? [] : [ticketRecord(ticket)]
  })
}

/** The agent's queued tickets, oldest first. */
export function openTicketsOf(state: ContestsState, agentId: string): TicketRecord[] {
  return [...membersOf(state.index, agentOf(state, agentId)).tickets].map(ticketRecord)
}

function ticketRecord({ ticketId, status, mode, stake, durationSec, opponents, chain, createdAt, expiresAt, contestId }: Ticket) {
  const times = { createdAt: isoOf(createdAt), expiresAt: isoOf(expiresAt) }
  return { ticketId, status, mode, stake: stake.toString(), durationSec, opponents, chain, ...times, contestId }
}
