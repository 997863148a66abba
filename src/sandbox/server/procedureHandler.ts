import { createHash } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { callTRPCProcedure, getTRPCErrorFromUnknown, TRPCError } from '@trpc/server'
import { createURL, incomingMessageToRequest } from '@trpc/server/adapters/node-http'
import { getHTTPStatusCodeFromError, resolveResponse } from '@trpc/server/http'
import { getErrorShape } from '@trpc/server/shared'
import { isProcedureName, procedures, type ReadName } from '../../contract/procedures.ts'
import { AGENT_KEY_HEADER, SANDBOX_HEADER } from '../../contract/wire.ts'
import { CornermanError } from '../../core/error.ts'
import { show } from '../../core/show.ts'
import type { FaultPlan } from '../faults/faultPlan.ts'
import { isOnRequest } from '../faults/meetFaults.ts'
import type { SandboxService } from '../sandboxService.ts'
import { EventPage } from '../store/eventPage.ts'
import { errorBody, LARGEST_BODY_BYTES, readError } from './appError.ts'
import type { CallLog } from './callLog.ts'
import { type RequestContext, sandboxRouter } from './router.ts'
import { sendJson, sendText } from './sendJson.ts'
import { SlidingWindow } from './slidingWindow.ts'
import { readWireInput } from './wireInput.ts'

const MINUTE_MS = 60_000
const READS_A_MINUTE = 300
const ACTIONS_A_MINUTE = 120

export interface ProcedureHandlerOptions {
  readonly service: SandboxService
  readonly faults: FaultPlan
  /** Reads a minute a key. Default 300. */
  readonly readLimit?: number | undefined
  /** Where every call is noted. Default: nowhere. */
  readonly calls?: CallLog | undefined
  /** Hears of every fault that was answered with INTERNAL. */
  readonly onFault: (fault: unknown) => void
}

type Handler = (request: IncomingMessage, response: ServerResponse) => Promise<void>

/**
 * Answers the procedures of the contract. It is tRPC's standalone adapter, but for two things that are most
 * of its cost: an answer is sent in one piece with its length, not piped through web streams; and a plain
 * read, which is nearly every call there is, goes to its procedure without a `Request` being made of it.
 */
export function procedureHandler({ service, faults, readLimit = READS_A_MINUTE, calls, onFault }: ProcedureHandlerOptions): Handler {
  const reads = new SlidingWindow(readLimit, MINUTE_MS)
  const actions = new SlidingWindow(ACTIONS_A_MINUTE, MINUTE_MS)
  const options = {
    router: sandboxRouter,
    allowBatching: false,
    maxBodySize: LARGEST_BODY_BYTES,
    onError({ error }: { readonly error: TRPCError }) {
      if (readError(error).appCode === 'INTERNAL' && !isOnRequest(error)) onFault(error.cause ?? error)
    },
    responseMeta({ errors }: { readonly errors: readonly Error[] }) {
      const cause = errors[0]?.cause
      const retryAfterMs = cause instanceof CornermanError ? cause.details.retryAfterMs : undefined
      return { headers: new Headers(typeof retryAfterMs === 'number' ? { 'retry-after': String(Math.ceil(retryAfterMs / 1000)) } : {}) }
    },
  }
  const answerRead = async ({ name, input }: PlainRead, ctx: RequestContext, response: ServerResponse) => {
    const call = { router: sandboxRouter, path: name, type: 'query', ctx } as const
    try {
      const json: unknown = await callTRPCProcedure({
        ...call,
        getRawInput: () => Promise.resolve(input),
        signal: undefined,
        batchIndex: 0,
      })
      if (json instanceof EventPage) sendSigned(response, `{"result":{"data":{"json":${json.toText()}}}}`)
      else sendSigned(response, JSON.stringify({ result: { data: { json } } }))
    } catch (thrown) {
      const error = getTRPCErrorFromUnknown(thrown)
      options.onError({ error })
      if (response.destroyed) return
      const json: unknown = getErrorShape({ ...call, config: sandboxRouter._def._config, error, input })
      response.setHeaders(options.responseMeta({ errors: [error] }).headers)
      sendJson(response, { status: getHTTPStatusCodeFromError(error), body: { error: { json } } })
    }
  }
  return async (request, response) => {
    const context: RequestContext = { key: singleHeader(request, AGENT_KEY_HEADER), request, faults, service, reads, actions, calls }
    const read = plainRead(request)
    if (read !== undefined) {
      await answerRead(read, context, response)
      return
    }
    try {
      requireForm(request)
      const answer = await resolveResponse({
        ...options,
        req: incomingMessageToRequest(request, response, { maxBodySize: LARGEST_BODY_BYTES }),
        path: createURL(request).pathname.replace(/^\/+|\/+$/g, ''),
        createContext: () => Promise.resolve(context),
        error: null,
      })
      const body = Buffer.from(await answer.arrayBuffer())
      if (response.destroyed) return
      response.statusCode = answer.status
      response.setHeaders(answer.headers)
      // tRPC leaves the type out of answers to what it could not route.
      response.setHeader('content-type', 'application/json').setHeader(SANDBOX_HEADER, digestOf(body)).end(body)
    } catch (thrown) {
      // What tRPC answers itself never comes here: a host that makes no URL does, and what it would take for something else.
      const error = getTRPCErrorFromUnknown(thrown)
      options.onError({ error })
      const { appCode, message, details } = readError(error)
      if (response.headersSent) response.destroy()
      else sendJson(response, { status: getHTTPStatusCodeFromError(error), body: errorBody(appCode, message, details) })
    }
  }
}

/** A success says whose it is, so that a bot knows the sandbox by whatever URL, and a proxy that changes its answers for something else. */
function sendSigned(response: ServerResponse, text: string): void {
  response.setHeader(SANDBOX_HEADER, digestOf(text))
  sendText(response, text)
}

const digestOf = (body: string | Buffer): string => createHash('sha256').update(body).digest('hex')

/** Whose other methods and types tRPC would take for a missing type, or a body's stream for the input. @throws TRPCError */
function requireForm({ method = '', headers }: IncomingMessage): void {
  if (!['GET', 'HEAD', 'POST'].includes(method)) {
    throw new TRPCError({ code: 'METHOD_NOT_SUPPORTED', message: `${method}: reads are GET and actions are POST` })
  }
  const [type = ''] = headers['content-type']?.split(';') ?? []
  if (method !== 'POST' || type.trim().toLowerCase() === 'application/json') return
  const message = `an action's content-type must be application/json, not ${type === '' ? 'missing' : show(type)}`
  throw new TRPCError({ code: 'UNSUPPORTED_MEDIA_TYPE', message })
}

interface PlainRead {
  readonly name: ReadName
  readonly input: unknown
}

/** What a plain read asks; `undefined` for everything else, well-formed or not: tRPC knows what to say to it. */
function plainRead({ method, url = '', headers }: IncomingMessage): PlainRead | undefined {
  if (method !== 'GET' || headers['content-type'] !== undefined || headers['trpc-accept'] !== undefined) return undefined
  const queryAt = url.indexOf('?')
  const name = url.slice(1, queryAt === -1 ? undefined : queryAt)
  if (!isReadName(name)) return undefined
  const query = new URLSearchParams(queryAt === -1 ? '' : url.slice(queryAt))
  const input = query.get('input')
  if (query.has('batch')) return undefined
  try {
    return { name, input: input === null || input === '' ? undefined : readWireInput(JSON.parse(input)) }
  } catch {
    return undefined
  }
}

const isReadName = (name: string): name is ReadName => isProcedureName(name) && procedures[name].kind === 'read'

function singleHeader(request: IncomingMessage, name: string): string | undefined {
  const value = request.headers[name]
  return Array.isArray(value) ? value.join(',') : value
}
