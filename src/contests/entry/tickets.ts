import { invariant } from '../../core/error.ts'
import { keyedRandom } from '../../core/random.ts'
import { microText } from '../../core/usdc.ts'
import { lockContest } from '../lifecycle.ts'
import { modeOf } from '../modes/index.ts'
import { endStake, seatingProblem, stakeProblem, takeStake } from '../money/accounts.ts'
import { noTicket, refusal, refuse } from '../refuse.ts'
import { dueOfTicket } from '../state/schedule.ts'
import { type Agent, agentOf, type ContestsState } from '../state/state.ts'
import { membersOf } from '../state/stateIndex.ts'
import { emit, type Turn } from '../turn.ts'
import type { Contest, EnqueueCommand, Outcome, Refusal, Refused, Ticket, TicketStatus } from '../types.ts'
import { type ContestPlan, makeContest, planContest } from './makeContest.ts'
import { canMeet, enterQueue, leaveQueue, oldestMatch, opponentsOfMatch, type Seeker, seekerOf } from './matching.ts'
import { announceSeat, takeSeat } from './takeSeat.ts'
import { termsProblem, waitProblem } from './terms.ts'

const TICKETS_KEPT = 20
const DUEL = 2

/**
 * Puts a ticket in the queue, or seats it at once with the oldest ticket it can meet. Where that
 * ticket's agent can no longer be seated, that ticket fails and the next one is tried. A ticket that
 * answers a named one is made only if the two are seated.
 */
export function enqueue(turn: Turn, agent: Agent, command: EnqueueCommand): Outcome {
  const { state } = turn
  const problem =
    termsProblem(command) ?? waitProblem(command.waitSec) ?? modeProblem(state, command) ?? stakeProblem(agent, command.stake, state.now)
  if (problem !== null) return { ok: false, refusal: problem }
  const seeker = seekerOf(command, agent)
  const found = command.answering === undefined ? unnamed(state, agent, seeker) : named(state, seeker, command.answering)
  if (!found.ok) return found
  const planned = found.ticket === undefined ? undefined : planDuel(state, command, found.ticket)
  if (planned?.ok === false) return planned

  let rival = found.ticket
  while (rival !== undefined && !canBeSeated(turn, rival)) {
    rival = command.answering === undefined ? oldestMatch(state.index, seeker) : undefined
  }
  if (rival === undefined && command.answering !== undefined) return { ok: true }
  const ticket = makeTicket(state, agent, command)
  if (rival === undefined) {
    enterQueue(state.index, ticket, agent, seeker)
    state.index.due.push(dueOfTicket(ticket))
    return { ok: true, ticketId: ticket.ticketId }
  }
  const plan = rival === found.ticket ? planned : planDuel(state, command, rival)
  invariant(plan?.ok === true, 'what can be played under one id can be under another', { ticketId: rival.ticketId })
  return { ok: true, ticketId: ticket.ticketId, contestId: seatPair(turn, plan, [rival, ticket], command.match?.side ?? null) }
}

/** Why two tickets of the mode make no duel, before one of them waits for it: a ticket asks for no parameters. */
function modeProblem({ index, mints }: ContestsState, { mode }: EnqueueCommand): Refusal | null {
  let problem = index.ticketProblems.get(mode)
  if (problem === undefined) {
    const read = modeOf({ mode }).params({}, { capacity: DUEL, mints, random: keyedRandom(mode) })
    problem = read.ok ? null : refusal('INVALID_INPUT', `no ticket of mode ${mode} can be matched here: ${read.message}`, { mode })
    index.ticketProblems.set(mode, problem)
  }
  return problem
}

/** Named after the ticket that waited: what is drawn for the duel is drawn from its id. */
const planDuel = (state: ContestsState, command: EnqueueCommand, { ticketId }: Ticket) =>
  planContest(state, command, {
    capacity: DUEL,
    asked: command.match?.params ?? {},
    contestId: command.match?.contestId ?? state.index.ids.duel(ticketId),
  })

type Found = { readonly ok: true; readonly ticket: Ticket | undefined } | Refused

function unnamed({ index }: ContestsState, { house }: Agent, seeker: Seeker): Found {
  if (house) return refuse('INVALID_INPUT', 'a house agent only answers tickets: name one in answering')
  return { ok: true, ticket: oldestMatch(index, seeker) }
}

function named(state: ContestsState, seeker: Seeker, ticketId: string): Found {
  const ticket = state.tickets.get(ticketId)
  if (ticket === undefined) return refuse('NOT_FOUND', `there is no ticket ${ticketId} to answer`, { ticketId })
  if (ticket.status !== 'queued') return notQueued(ticket)
  if (canMeet(seeker, seekerOf(ticket, agentOf(state, ticket.agentId)))) return { ok: true, ticket }
  return refuse('INVALID_INPUT', `ticket ${ticketId} cannot be met on these terms: take its own, as an agent it accepts`, { ticketId })
}

/** Whether a queued ticket's agent may still be seated; the ticket fails where it may not. */
function canBeSeated(turn: Turn, ticket: Ticket): boolean {
  const { state } = turn
  const problem = seatingProblem(agentOf(state, ticket.agentId), ticket.stake, state.now)
  if (problem === null) return true
  endTicket(state, ticket, 'failed')
  const { code, message } = problem
  emit(turn, ticket.agentId, { type: 'ticket.failed', data: matchData(ticket, null, { code, message }) })
  return false
}

function makeTicket(state: ContestsState, agent: Agent, command: EnqueueCommand): Ticket {
  const { counters, now } = state
  const { agentId, mode, stake, durationSec, opponents, chain, waitSec } = command
  counters.ticket += 1
  counters.due += 1
  agent.tickets += 1
  const ticketId = membersOf(state.index, agent).ticketId(agent.tickets)
  const ticket: Ticket = {
    ticketId,
    seq: counters.ticket,
    agentId,
    mode,
    stake,
    durationSec,
    opponents,
    chain,
    createdAt: now,
    expiresAt: now + waitSec * 1000,
    dueOrder: counters.due,
    status: 'queued',
    contestId: null,
  }
  state.tickets.set(ticketId, ticket)
  agent.ticketIds.push(ticketId)
  if (agent.ticketIds.length > TICKETS_KEPT) agent.ticketIds.shift()
  takeStake(agent, stake)
  return ticket
}

/**
 * Seats two tickets in a new duel that locks at once; their stakes become the seats'.
 *
 * @param side the second one's; null: seeded
 */
function seatPair(turn: Turn, plan: ContestPlan, [first, second]: readonly [Ticket, Ticket], side: string | null): string {
  const { state } = turn
  const contest = makeContest(state, plan, {
    format: 'duel',
    opponents: opponentsOfMatch(first.opponents, second.opponents),
    visibility: 'public',
    capacity: DUEL,
    teamSize: null,
    rated: true,
    joinWindowSec: 0,
  })
  const { contestId } = contest
  const [firstSide, secondSide] = sidesOfPair(plan, side)
  seatTicket(state, contest, first, firstSide)
  seatTicket(state, contest, second, secondSide)
  emit(turn, first.agentId, { type: 'match.found', data: matchData(first, contestId, null) })
  emit(turn, second.agentId, { type: 'match.found', data: matchData(second, contestId, null) })
  announceSeat(turn, contest, 1)
  announceSeat(turn, contest, 2)
  lockContest(turn, contest)
  return contestId
}

/** The sides of the two seats, where the mode has sides: as the second is known to sit, else drawn. */
function sidesOfPair({ terms, random }: ContestPlan, second: string | null): readonly [string | null, string | null] {
  const [one = null, other = null] = modeOf(terms).sides ?? []
  if (one !== null && second !== null) return second === other ? [one, other] : [other, one]
  return one === null || random.integer(0, DUEL - 1) === 0 ? [one, other] : [other, one]
}

function seatTicket(state: ContestsState, contest: Contest, ticket: Ticket, side: string | null): void {
  const agent = agentOf(state, ticket.agentId)
  leaveQueue(state.index, ticket, agent)
  ticket.status = 'matched'
  ticket.contestId = contest.contestId
  takeSeat(state, contest, { agent, side, ready: true })
}

function matchData<ContestId>(
  { ticketId, opponents, mode, stake }: Ticket,
  contestId: ContestId,
  error: Pick<Refusal, 'code' | 'message'> | null,
) {
  return { ticketId, contestId, opponents, mode, stake: microText(stake), error }
}

export function cancelTicket({ state }: Turn, agent: Agent, ticketId: string): Outcome {
  const ticket = state.tickets.get(ticketId)
  if (ticket?.agentId !== agent.agentId) return noTicket(ticketId)
  if (ticket.status !== 'queued') return notQueued(ticket)
  endTicket(state, ticket, 'cancelled')
  return { ok: true, ticketId }
}

function notQueued({ ticketId, status }: Ticket): Refused {
  return refuse('TICKET_NOT_OPEN', `ticket ${ticketId} is ${status}: only a queued one can be answered or cancelled`, { ticketId, status })
}

export function expireTicket(turn: Turn, ticket: Ticket): void {
  endTicket(turn.state, ticket, 'expired')
  emit(turn, ticket.agentId, { type: 'ticket.expired', data: { ticketId: ticket.ticketId } })
}

/** Takes an unmatched ticket out of the queue, and its stake back. */
function endTicket(state: ContestsState, ticket: Ticket, status: Exclude<TicketStatus, 'queued' | 'matched'>): void {
  const agent = agentOf(state, ticket.agentId)
  leaveQueue(state.index, ticket, agent)
  ticket.status = status
  endStake(agent, ticket.stake, ticket.stake)
}
