import type { ActionName, ProcedureAnswer, ProcedureInput, ReadName } from '../contract/procedures.ts'
import type { ContestsState } from './state/state.ts'
import type { CommandBody, Move, Outcome } from './types.ts'
import { bankrollView, limitsView, meView, rankView, statsView } from './views/agents.ts'
import { contestsOf, contestView, modeStateView } from './views/contests.ts'
import { historyPage } from './views/history.ts'
import { leaderboardPage } from './views/leaderboard.ts'
import { countContests, listContests } from './views/listing.ts'
import { type Answer, answer } from './views/page.ts'
import { ticketsOf, ticketView } from './views/tickets.ts'

// The procedures of the interface that the engine alone can answer: what each reads, does and shows. The shell adds
// those that need more than it: events, keys, the chain.

export type ContestRead = Exclude<ReadName, 'agent.events' | 'agent.profile' | 'agent.tx.status'>
export type ContestAction = Exclude<ActionName, 'agent.trade.signAndSend'>

export type AgentCommand = CommandBody & { readonly agentId: string }

const DEFAULT_WAIT_SEC = 60
const DEFAULT_JOIN_WINDOW_SEC = 60
const DEFAULT_LOBBY_CAPACITY = 10

interface Reader<N extends ContestRead> {
  readonly agentId: string
  readonly now: number
  readonly input: ProcedureInput<N>
}

const reads: { readonly [N in ContestRead]: (state: ContestsState, reader: Reader<N>) => Answer<ProcedureAnswer<N>> } = {
  'agent.me': (state, { agentId, now }) => answer(meView(state, agentId, now)),
  'agent.bankroll': (state, { agentId }) => answer(bankrollView(state, agentId)),
  'agent.limits': (state, { agentId, now }) => answer(limitsView(state, agentId, now)),
  'agent.rank': (state, { agentId }) => answer(rankView(state, agentId)),
  'agent.stats': (state, { agentId }) => answer(statsView(state, agentId)),
  'agent.history': (state, { agentId, input }) => historyPage(state, agentId, input),
  'agent.leaderboard': (state, { agentId, input, now }) => leaderboardPage(state, agentId, { ...input, now }),
  'agent.queue.get': (state, { agentId, input }) => ticketView(state, input.ticketId, agentId),
  'agent.queue.list': (state, { agentId }) => answer(ticketsOf(state, agentId)),
  'agent.contests.list': (state, { agentId, input }) => listContests(state, agentId, input),
  'agent.contests.counts': (state, { input }) => answer(countContests(state, input)),
  'agent.contests.get': (state, { agentId, input }) => contestView(state, input.contestId, agentId),
  'agent.contests.mine': (state, { agentId }) => answer(contestsOf(state, agentId)),
  'agent.modes.state': (state, { agentId, input }) => modeStateView(state, input.contestId, agentId),
}

/** What a read shows as the state stands. */
export const answerRead = <N extends ContestRead>(state: ContestsState, procedure: N, reader: Reader<N>): Answer<ProcedureAnswer<N>> =>
  reads[procedure](state, reader)

const move = (agentId: string, contestId: string, made: Move): AgentCommand => ({ type: 'move', agentId, contestId, move: made })

const commands: { readonly [N in ContestAction]: (agentId: string, input: ProcedureInput<N>) => AgentCommand } = {
  'agent.queue.enqueue': (agentId, input) => {
    const { opponents = 'ANY', chain = 'solana', waitSec = DEFAULT_WAIT_SEC } = input
    return { ...input, type: 'enqueue', agentId, opponents, chain, waitSec }
  },
  'agent.queue.cancel': (agentId, { ticketId }) => ({ type: 'cancelTicket', agentId, ticketId }),
  'agent.contests.create': (agentId, input) => {
    const { opponents = 'ANY', visibility = 'public', joinWindowSec = DEFAULT_JOIN_WINDOW_SEC, teamSize = null, params = {} } = input
    const capacity = input.capacity ?? (input.format === 'duel' ? 2 : DEFAULT_LOBBY_CAPACITY)
    const asked = { opponents, visibility, joinWindowSec, teamSize, params, capacity }
    return { ...input, ...asked, type: 'createContest', agentId, side: null }
  },
  'agent.contests.join': (agentId, { contestId, side = null }) => ({ type: 'joinContest', agentId, contestId, side }),
  'agent.contests.leave': (agentId, { contestId }) => ({ type: 'leaveContest', agentId, contestId }),
  'agent.contests.ready': (agentId, { contestId, ready = true }) => ({ type: 'readyContest', agentId, contestId, ready }),
  'agent.modes.draftPick': (agentId, { contestId, token }) => move(agentId, contestId, { type: 'draftPick', token }),
  'agent.modes.commitPrediction': (agentId, { contestId, commitment }) =>
    move(agentId, contestId, { type: 'commitPrediction', commitment }),
  'agent.modes.revealPrediction': (agentId, { contestId, value, salt }) =>
    move(agentId, contestId, { type: 'revealPrediction', value, salt }),
}

/** The command that an action is. */
export const commandOf = <N extends ContestAction>(procedure: N, agentId: string, input: ProcedureInput<N>): AgentCommand =>
  commands[procedure](agentId, input)

type Done = Outcome & { readonly ok: true }
type After<N extends ContestAction> = (state: ContestsState, agentId: string, done: Done) => Answer<ProcedureAnswer<N>>

const ticketAfter = (state: ContestsState, agentId: string, { ticketId = '' }: Done) => ticketView(state, ticketId, agentId)
const contestAfter = (state: ContestsState, agentId: string, { contestId = '' }: Done) => contestView(state, contestId, agentId)
const modeAfter = (state: ContestsState, agentId: string, { contestId = '' }: Done) => modeStateView(state, contestId, agentId)

const afterwards: { readonly [N in ContestAction]: After<N> } = {
  'agent.queue.enqueue': ticketAfter,
  'agent.queue.cancel': ticketAfter,
  'agent.contests.create': contestAfter,
  'agent.contests.join': contestAfter,
  'agent.contests.leave': contestAfter,
  'agent.contests.ready': contestAfter,
  'agent.modes.draftPick': modeAfter,
  'agent.modes.commitPrediction': modeAfter,
  'agent.modes.revealPrediction': modeAfter,
}

/** The ticket, the contest or the state of its mode, as things stand after an action. */
export const answerAfter = <N extends ContestAction>(
  state: ContestsState,
  procedure: N,
  agentId: string,
  done: Done,
): Answer<ProcedureAnswer<N>> => afterwards[procedure](state, agentId, done)
