import { keyedRandom } from '../../core/random.ts'
import type { CommandBody, ContestsState, Ticket } from '../index.ts'
import type { Act, HouseContext } from './act.ts'
import { fundedFirst } from './funding.ts'

/** The least share of the longest delay that a ticket waits. */
const SHORTEST_SHARE = 0.2

/** Answers a ticket of an agent that is not the house's: who, and when, depend on the seed and the ticket alone. */
export function planTicket({ seed, matchDelayMs, members }: HouseContext, state: ContestsState, ticket: Ticket): Act | null {
  if (ticket.status !== 'queued' || state.agents.get(ticket.agentId)?.house !== false) return null
  const random = keyedRandom(seed, 'answer', ticket.ticketId)
  const atMs = ticket.createdAt + Math.floor(matchDelayMs * (SHORTEST_SHARE + (1 - SHORTEST_SHARE) * random.next()))
  const accepted = [...members].filter(([, { kind }]) => ticket.opponents === 'ANY' || ticket.opponents === kind)
  const [agentId] = random.pick(accepted) ?? []
  if (agentId === undefined) return null
  const { mode, stake, durationSec, chain, ticketId } = ticket
  const answer: CommandBody = {
    type: 'enqueue',
    agentId,
    mode,
    stake,
    durationSec,
    chain,
    opponents: 'ANY',
    waitSec: 1,
    answering: ticketId,
  }
  return { atMs, decide: () => fundedFirst(state, answer, stake) }
}
