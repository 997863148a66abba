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
import type { TradeAnswer } from '../chain/tradeAnswer.ts'
import type { FaultPlan } from '../faults/faultPlan.ts'
import type { SandboxService } from '../sandboxService.ts'

/** One call of an agent whose key and input are good. */
export interface Call<N extends ProcedureName> {
  readonly agentId: string
  readonly service: SandboxService
  readonly faults: FaultPlan
  readonly input: ProcedureInput<N>
}

export type Handlers = { readonly [N in ProcedureName]: (call: Call<N>) => Answer<unknown> | Promise<TradeAnswer<unknown>> }

const DEFAULT_WAIT_SEC = 60
const DEFAULT_JOIN_WINDOW_SEC = 60
const DEFAULT_LOBBY_CAPACITY = 10
const DEFAULT_PAGE = 50

const answer = (value: unknown): Answer<unknown> => ({ ok: true, value })

/** The answer to every procedure of the contract. */
export const handlers: Handlers = {
  'agent.me': ({ service, agentId }) => answer(service.read((state, now) => meView(state, agentId, now))),
  'agent.profile': ({ service, agentId }) =>
    answer({
      ...service.read((state) => profileView(state, agentId)),
      keyPrefix: service.store.keyPrefix(agentId),
      webhookUrl: service.store.webhooks.endpoints.get(agentId)?.url ?? null,
    }),
  'agent.bankroll': ({ service, agentId }) => answer(service.read((state) => bankrollView(state, agentId))),
  'agent.limits': ({ service, agentId }) => answer(service.read((state, now) => limitsView(state, agentId, now))),
  'agent.rank': ({ service, agentId }) => answer(service.read((state) => rankView(state, agentId))),
  'agent.stats': ({ service, agentId }) => answer(service.read((state) => statsView(state, agentId))),
  'agent.history': ({ service, agentId, input }) => service.read((state) => historyPage(state, agentId, input)),
  'agent.leaderboard': ({ service, agentId, input }) => service.read((state, now) => leaderboardPage(state, agentId, { ...input, now })),
  'agent.events': ({ service, agentId, faults, input }) =>
    service.read(() => ('latest' in input ? latestEvents(service, agentId) : eventsAfter({ service, agentId, faults, input }))),

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

  'agent.trade.signAndSend': async ({ service, agentId, input }) =>
    (await service.trading()).desk.signAndSend(agentId, { transaction: input.transaction, contestId: input.contestId ?? null }),
  'agent.tx.status': async ({ service, agentId, input }) => (await service.trading()).desk.status(agentId, input.signature),
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

type EventsInput = Exclude<ProcedureInput<'agent.events'>, { latest: true }>

function eventsAfter({ service, agentId, faults, input }: Omit<Call<'agent.events'>, 'input'> & { readonly input: EventsInput }) {
  const { after, limit = DEFAULT_PAGE } = input
  // A page of one has no room for a repeated event.
  const repeatAt = limit === 1 ? undefined : faults.repeatAt(agentId)
  const page = service.store.eventsAfter(agentId, after, repeatAt === undefined ? limit : limit - 1)
  if (page !== undefined)
    return answer(repeatAt === undefined ? page : { events: withRepeated(page.events, repeatAt), cursor: page.cursor })
  const message = `after is ${after}, which is no event of this agent: pass the cursor of the last page, or null to start at the first event`
  return { ok: false, refusal: { code: 'INVALID_INPUT', message, details: { after } } } satisfies Answer<unknown>
}

/** @param repeatAt a share of the length: which event comes twice */
function withRepeated(events: readonly unknown[], repeatAt: number): readonly unknown[] {
  const index = Math.floor(repeatAt * events.length)
  return [...events.slice(0, index + 1), ...events.slice(index)]
}
