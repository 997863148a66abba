import { type Answer, answerAfter, answerRead, type ContestAction, type ContestRead, commandOf, profileView } from '../../contests/index.ts'
import type { ProcedureAnswer, ProcedureInput, ProcedureName } from '../../contract/procedures.ts'
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

type Handler<N extends ProcedureName> = (call: Call<N>) => Answer<ProcedureAnswer<N>> | Promise<TradeAnswer<ProcedureAnswer<N>>>
export type Handlers = { readonly [N in ProcedureName]: Handler<N> }

const DEFAULT_PAGE = 50

const answer = <T>(value: T): Answer<T> => ({ ok: true, value })

/** Shows what the engine shows. */
const shown =
  <N extends ContestRead>(procedure: N): Handler<N> =>
  ({ service, agentId, input }) =>
    service.read((state, now) => answerRead(state, procedure, { agentId, now, input }))

/** Gives a command to the engine and shows what it was about, as it stands afterwards. */
const done =
  <N extends ContestAction>(procedure: N): Handler<N> =>
  ({ service, agentId, input }) => {
    const command = commandOf(procedure, agentId, input)
    const applied = service.dispatch(command)
    return applied.ok ? service.read((state) => answerAfter(state, procedure, agentId, applied)) : applied
  }

/** The answer to every procedure of the contract. */
export const handlers: Handlers = {
  'agent.me': shown('agent.me'),
  'agent.profile': ({ service, agentId }) =>
    answer({
      ...service.read((state) => profileView(state, agentId)),
      keyPrefix: service.store.keyPrefix(agentId),
      webhookUrl: service.store.webhooks.endpoints.get(agentId)?.url ?? null,
    }),
  'agent.bankroll': shown('agent.bankroll'),
  'agent.limits': shown('agent.limits'),
  'agent.rank': shown('agent.rank'),
  'agent.stats': shown('agent.stats'),
  'agent.history': shown('agent.history'),
  'agent.leaderboard': shown('agent.leaderboard'),
  'agent.events': ({ service, agentId, faults, input }) =>
    service.read(() => ('latest' in input ? latestEvents(service, agentId) : eventsAfter({ service, agentId, faults, input }))),

  'agent.queue.enqueue': done('agent.queue.enqueue'),
  'agent.queue.get': shown('agent.queue.get'),
  'agent.queue.list': shown('agent.queue.list'),
  'agent.queue.cancel': done('agent.queue.cancel'),

  'agent.contests.list': shown('agent.contests.list'),
  'agent.contests.counts': shown('agent.contests.counts'),
  'agent.contests.get': shown('agent.contests.get'),
  'agent.contests.mine': shown('agent.contests.mine'),
  'agent.contests.create': done('agent.contests.create'),
  'agent.contests.join': done('agent.contests.join'),
  'agent.contests.leave': done('agent.contests.leave'),
  'agent.contests.ready': done('agent.contests.ready'),

  'agent.modes.state': shown('agent.modes.state'),
  'agent.modes.draftPick': done('agent.modes.draftPick'),
  'agent.modes.commitPrediction': done('agent.modes.commitPrediction'),
  'agent.modes.revealPrediction': done('agent.modes.revealPrediction'),

  'agent.trade.signAndSend': async ({ service, agentId, input }) =>
    (await service.trading()).desk.signAndSend(agentId, { transaction: input.transaction, contestId: input.contestId ?? null }),
  'agent.tx.status': async ({ service, agentId, input }) => (await service.trading()).desk.status(agentId, input.signature),
}

function latestEvents({ store }: SandboxService, agentId: string): Answer<ProcedureAnswer<'agent.events'>> {
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
  return { ok: false, refusal: { code: 'INVALID_INPUT', message, details: { after } } } satisfies Answer<never>
}

/** @param repeatAt a share of the length: which event comes twice */
function withRepeated(events: readonly unknown[], repeatAt: number): readonly unknown[] {
  const index = Math.floor(repeatAt * events.length)
  return [...events.slice(0, index + 1), ...events.slice(index)]
}
