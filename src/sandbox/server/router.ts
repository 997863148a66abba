import type { IncomingMessage } from 'node:http'
import { initTRPC } from '@trpc/server'
import superjson from 'superjson'
import { PROCEDURE_NAMES, type ProcedureInput, type ProcedureName, procedures } from '../../contract/procedures.ts'
import { AGENT_KEY_HEADER } from '../../contract/wire.ts'
import { hashAgentKey } from '../agentKey.ts'
import type { FaultPlan } from '../faults/faultPlan.ts'
import { dropConnection, meetFaultsBefore } from '../faults/meetFaults.ts'
import type { SandboxService } from '../sandboxService.ts'
import { readError, refusalError } from './appError.ts'
import type { CallLog } from './callLog.ts'
import { type Handlers, handlers } from './handlers.ts'
import { inputOf } from './inputs.ts'
import type { SlidingWindow } from './slidingWindow.ts'
import { readWireInput } from './wireInput.ts'

/** What a call has before anything about it is known. */
export interface RequestContext {
  readonly key: string | undefined
  readonly request: IncomingMessage
  readonly faults: FaultPlan
  readonly service: SandboxService
  readonly reads: SlidingWindow
  readonly actions: SlidingWindow
  readonly calls: CallLog | undefined
}

const trpc = initTRPC.context<RequestContext>().create({
  transformer: {
    input: { serialize: superjson.serialize, deserialize: readWireInput },
    // Answers hold nothing but what JSON has (part 1, "Wire format"), so superjson would search them for nothing,
    // which takes it longer than all the rest of a page of events.
    output: { serialize: (json: unknown) => ({ json }), deserialize: superjson.deserialize },
  },
  // With it, errors would carry their stack.
  isDev: false,
  errorFormatter({ error, shape }) {
    const { appCode, message, details } = readError(error)
    return { message, code: shape.code, data: { code: shape.data.code, httpStatus: shape.data.httpStatus, appCode, details } }
  },
})

/** The key first, then the faults on request, then the rate, and only then the input: who has no key learns nothing. */
const keyed = trpc.procedure.use(async ({ ctx, type, path, next }) => {
  const agentId = agentOf(ctx)
  ctx.calls?.write({ at: ctx.service.now(), agentId, procedure: path })
  const faults = ctx.faults.ofCall(agentId, path)
  if (faults !== undefined) await meetFaultsBefore(faults, ctx.request)
  const window = type === 'query' ? ctx.reads : ctx.actions
  const admission = window.admit(agentId, ctx.service.now())
  if (!admission.ok) {
    const { retryAfterMs } = admission
    const what = type === 'query' ? 'reads' : 'actions'
    throw refusalError({
      code: 'RATE_LIMITED',
      message: `over ${window.limit} ${what} a minute: try again in ${retryAfterMs} ms`,
      details: { retryAfterMs },
    })
  }
  const result = await next({ ctx: { agentId } })
  if (faults?.dropAfter === true) dropConnection(ctx.request)
  return result
})

function agentOf({ key, service }: RequestContext): string {
  if (key === undefined || key === '') {
    throw refusalError({ code: 'AGENT_KEY_MISSING', message: `send the agent's key in the header ${AGENT_KEY_HEADER}`, details: {} })
  }
  const agentId = service.store.agentOfKey(hashAgentKey(key))
  if (agentId !== undefined) return agentId
  const message = `the key in ${AGENT_KEY_HEADER} is not one of this sandbox: a start gives every agent that it names a new key`
  throw refusalError({ code: 'AGENT_KEY_INVALID', message, details: {} })
}

/** Every procedure of the contract at its own path. */
export const sandboxRouter = trpc.router(Object.fromEntries(PROCEDURE_NAMES.map((name) => [name, procedureOf(name)])))

function procedureOf<N extends ProcedureName>(name: N) {
  const schema = inputOf(name)
  const handler: Handlers[N] = handlers[name]
  // A call without input is one with null (part 1 of the specification); where every field is optional, that leaves them all out.
  const nothing = schema.safeParse(null).success ? null : {}
  const checked = keyed.input((input: unknown): unknown => schema.parse(input ?? nothing))
  const resolve = async ({ ctx, input }: { ctx: RequestContext & { agentId: string }; input: unknown }): Promise<unknown> => {
    // The schema above has read it; through the table of schemas the compiler cannot follow that.
    const answered = await handler({ agentId: ctx.agentId, service: ctx.service, faults: ctx.faults, input: input as ProcedureInput<N> })
    if (!answered.ok) throw refusalError(answered.refusal)
    return answered.value
  }
  return procedures[name].kind === 'read' ? checked.query(resolve) : checked.mutation(resolve)
}
