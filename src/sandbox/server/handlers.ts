import {
  type Answer,
  type Applied,
  bankrollView,
  type CommandBody,
  contestsOf,
  contestView,
  countContests,
  historyPage,
  leaderboardPage,
  limitsView,
  listContests,
  type Move,
  meView,
  modeStateView,
  profileView,
  rankView,
  statsView,
  ticketsOf,
  ticketView,
} from '../../contests/index.ts'
import type { ProcedureInput, ProcedureName } from '../../contract/procedures.ts'
import type { SandboxService } from '../sandboxService.ts'

/** One call of an agent whose key and input are good. */
export interface Call<N extends ProcedureName> {
  readonly agentId: string
  readonly service: SandboxService
  readonly input: ProcedureInput<N>
}

export type Handlers = { readonly [N in ProcedureName]: (call: Call<N>) => Answer<unknown> }

const DEFAULT_WAIT_SEC = 60
const DEFAULT_JOIN_WINDOW_SEC = 60
const DEFAULT_LOBBY_CAPACITY = 10
const DEFAULT_PAGE = 50

const answer = (value: unknown): Answer<unknown> => ({ ok: true, value })

const notTradable: Answer<unknown> = {
  ok: false,
  refusal: { code: 'CHAIN_NOT_TRADABLE', message: 'this sandbox has no chain to trade on: play the modes without swaps', details: {} },
}

/** The answer to every procedure of the contract. */
export const handlers: Handlers = {
  'agent.me': ({ service, agentId }) => answer(service.read((state, now) => meView(state, agentId, now))),
  'agent.profile': ({ service, agentId }) =>
    answer({ ...service.read((state) => profileView(state, agentId)), keyPrefix: service.store.keyPrefix(agentId), webhookUrl: null }),
  'agent.bankroll': ({ service, agentId }) => answer(service.read((state) => bankrollView(state, agentId))),
  'agent.limits': ({ service, agentId }) => answer(service.read((state, now) => limitsView(state, agentId, now))),
  'agent.rank': ({ service, agentId }) => answer(service.read((state) => rankView(state, agentId))),
  'agent.stats': ({ service, agentId }) => answer(service.read((state) => statsView(state, agentId))),
  'agent.history': ({ service, agentId, input }) => service.read((state) => historyPage(state, agentId, input)),
  'agent.leaderboard': ({ service, agentId, input }) => service.read((state, now) => leaderboardPage(state, agentId, { ...input, now })),
  'agent.events': ({ service, agentId, input }) =>
    service.read(() => ('latest' in input ? latestEvents(service, agentId) : eventsAfter(service, agentId, input))),

  'agent.queue.enqueue': ({ service, agentId, input }) => {
    const { opponents = 'ANY', chain = 'solana', waitSec = DEFAULT_WAIT_SEC } = input
    return ticketAfter(service, { ...input, type: 'enqueue', agentId, opponents, chain, waitSec })
  },
  'agent.queue.get': ({ service, agentId, input }) => service.read((state) => ticketView(state, input.ticketId, agentId)),
  'agent.queue.list': ({ service, agentId }) => answer(service.read((state) => ticketsOf(state, agentId))),
  'agent.queue.cancel': ({ service, agentId, input }) => ticketAfter(service, { type: 'cancelTicket', agentId, ticketId: input.ticketId }),

  'agent.contests.list': ({ service, agentId, input }) => service.read((state) => listContests(state, agentId, input)),
  'agent.contests.counts': ({ service, input }) => answer(service.read((state) => countContests(state, input))),
  'agent.contests.get': ({ service, agentId, input }) => service.read((state) => contestView(state, input.contestId, agentId)),
  'agent.contests.mine': ({ service, agentId }) => answer(service.read((state) => contestsOf(state, agentId))),
  'agent.contests.create': ({ service, agentId, input }) => {
    const { opponents = 'ANY', visibility = 'public', joinWindowSec = DEFAULT_JOIN_WINDOW_SEC, teamSize = null, params = {} } = input
    const capacity = input.capacity ?? (input.format === 'duel' ? 2 : DEFAULT_LOBBY_CAPACITY)
    const asked = { opponents, visibility, joinWindowSec, teamSize, params, capacity }
    return contestAfter(service, { ...input, ...asked, type: 'createContest', agentId, side: null })
  },
  'agent.contests.join': ({ service, agentId, input }) =>
    contestAfter(service, { type: 'joinContest', agentId, contestId: input.contestId, side: input.side ?? null }),
  'agent.contests.leave': ({ service, agentId, input }) =>
    contestAfter(service, { type: 'leaveContest', agentId, contestId: input.contestId }),
  'agent.contests.ready': ({ service, agentId, input }) =>
    contestAfter(service, { type: 'readyContest', agentId, contestId: input.contestId, ready: input.ready ?? true }),

  'agent.modes.state': ({ service, agentId, input }) => service.read((state) => modeStateView(state, input.contestId, agentId)),
  'agent.modes.draftPick': (call) => stateAfter(call, { type: 'draftPick', token: call.input.token }),
  'agent.modes.commitPrediction': (call) => stateAfter(call, { type: 'commitPrediction', commitment: call.input.commitment }),
  'agent.modes.revealPrediction': (call) => stateAfter(call, { type: 'revealPrediction', value: call.input.value, salt: call.input.salt }),

  'agent.trade.signAndSend': () => notTradable,
  'agent.tx.status': () => notTradable,
}

type AgentCommand = CommandBody & { readonly agentId: string }

/** Gives a command to the engine and shows what it was about, as it stands afterwards. */
function after(service: SandboxService, command: CommandBody, show: (applied: Applied & { ok: true }) => Answer<unknown>): Answer<unknown> {
  const applied = service.dispatch(command)
  return applied.ok ? show(applied) : applied
}

function ticketAfter(service: SandboxService, command: AgentCommand): Answer<unknown> {
  return after(service, command, ({ ticketId = '' }) => service.read((state) => ticketView(state, ticketId, command.agentId)))
}

function contestAfter(service: SandboxService, command: AgentCommand): Answer<unknown> {
  return after(service, command, ({ contestId = '' }) => service.read((state) => contestView(state, contestId, command.agentId)))
}

function stateAfter(call: { agentId: string; service: SandboxService; input: { contestId: string } }, move: Move): Answer<unknown> {
  const { agentId, service, input } = call
  const { contestId } = input
  return after(service, { type: 'move', agentId, contestId, move }, () => service.read((state) => modeStateView(state, contestId, agentId)))
}

function latestEvents({ store }: SandboxService, agentId: string): Answer<unknown> {
  return answer({ events: [], cursor: store.newestEventId(agentId) })
}

function eventsAfter(
  { store }: SandboxService,
  agentId: string,
  { after, limit = DEFAULT_PAGE }: { after: string | null; limit?: number | undefined },
) {
  const page = store.eventsAfter(agentId, after, limit)
  if (page !== undefined) return answer(page)
  const message = `after is ${after}, which is no event of this agent: pass the cursor of the last page, or null to start at the first event`
  return { ok: false, refusal: { code: 'INVALID_INPUT', message, details: { after } } } satisfies Answer<unknown>
}
