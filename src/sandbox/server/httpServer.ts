import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { CornermanError } from '../../core/error.ts'
import { steadyClock } from '../../core/systemClock.ts'
import { closeServer, listen, listenProblem, serverOf, urlOf } from '../../http/index.ts'
import { FaultPlan } from '../faults/faultPlan.ts'
import { JupiterLimit } from '../faults/jupiterLimit.ts'
import type { SandboxService } from '../sandboxService.ts'
import { errorBody } from './appError.ts'
import type { CallLog } from './callLog.ts'
import { answerChain, isChainPath, isDexPath } from './chainApi.ts'
import type { JsonAnswer } from './jsonAnswer.ts'
import { answerOwner, isOwnerPath, type OwnerApiOptions } from './ownerApi.ts'
import { procedureHandler } from './procedureHandler.ts'
import { sendJson } from './sendJson.ts'

const LARGEST_HEADER_BYTES = 16 * 1024
const REQUEST_TIMEOUT_MS = 10_000
/** A connection on which nothing moves for so long is cut, as that of a client that does not read its answer. */
const STALLED_MS = 60_000
const MOST_CONNECTIONS = 2000
const KEEP_ALIVE_MS = 30_000

/** Node's code of a fault before a request, with the status and the message it is answered with. */
const CONNECTION_FAULTS: Readonly<Record<string, readonly [status: string, message: string]>> = {
  HPE_HEADER_OVERFLOW: ['431 Request Header Fields Too Large', `URL and headers may have up to ${LARGEST_HEADER_BYTES} bytes`],
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'the request was not sent in time'],
}

export interface HttpServerOptions {
  readonly service: SandboxService
  readonly host: string
  /** 0: any free port. */
  readonly port: number
  /** Reads a minute a key. Default 300. */
  readonly readLimit?: number | undefined
  /** Where every call is noted. Default: nowhere. */
  readonly calls?: CallLog | undefined
  /** How long a client may take to send a request. Default 10 s. */
  readonly requestTimeoutMs?: number | undefined
  /** How long nothing may move on a connection. Default 60 s. */
  readonly stalledMs?: number | undefined
  /** Connections at once; one more is closed. Default 2,000. */
  readonly mostConnections?: number | undefined
  /** Faults on request. Default: none, ever. */
  readonly faults?: FaultPlan | undefined
  /** Default: `/owner/…` is not found. */
  readonly owner?: OwnerApiOptions | undefined
  /** Hears of every fault that was answered with INTERNAL. */
  readonly onFault: (fault: unknown) => void
}

export interface HttpServer {
  readonly url: string
  close(): Promise<void>
}

/** Serves the procedures of the contract, and beside them the DEX, the chain and the owner's API. */
export async function startHttpServer(options: HttpServerOptions): Promise<HttpServer> {
  const { service, host, port, readLimit, requestTimeoutMs = REQUEST_TIMEOUT_MS, calls, onFault } = options
  const { faults = new FaultPlan(0), owner } = options
  const answerProcedure = procedureHandler({ service, faults, readLimit, calls, onFault })

  const limit = new JupiterLimit(faults)
  const answerLimited = (request: IncomingMessage, url: URL): Promise<JsonAnswer> => {
    const answer = () => answerChain(service, request, url)
    if (!isDexPath(url.pathname)) return answer()
    const key = request.headers['x-api-key']
    return limit.answered(typeof key === 'string' ? key : undefined, () => service.clock.now(), answer)
  }

  const limits = { requestTimeoutMs, keepAliveMs: KEEP_ALIVE_MS, largestHeaderBytes: LARGEST_HEADER_BYTES }
  const server = serverOf(limits, (request, response) => {
    // The time it is here: whoever plays by the sandbox's clock reads no other from its answers.
    response.setHeader('date', new Date(service.clock.now()).toUTCString())
    const url = URL.parse(request.url ?? '', 'http://sandbox')
    const exchange = { request, response, onFault }
    if (url !== null && owner !== undefined && isOwnerPath(url.pathname)) void sendAnswer(answerOwner(owner, request, url), exchange)
    else if (url !== null && isChainPath(url.pathname)) void sendAnswer(answerLimited(request, url), exchange)
    else void answerProcedure(request, response)
  })
  server.maxConnections = options.mostConnections ?? MOST_CONNECTIONS
  server.setTimeout(options.stalledMs ?? STALLED_MS)
  server.on('clientError', refuseConnection)
  try {
    await listen(server, { host, port })
  } catch (cause) {
    throw new CornermanError('SANDBOX_PORT', listenProblem(cause, { host, port, ofPort: 'choose another port, or 0 for any' }), { cause })
  }
  return { url: urlOf(server), close: () => closeServer(server, steadyClock) }
}

interface Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly onFault: (fault: unknown) => void
}

async function sendAnswer(answering: Promise<JsonAnswer>, { request, response, onFault }: Exchange): Promise<void> {
  let answer: JsonAnswer
  try {
    answer = await answering
  } catch (fault) {
    onFault(fault)
    answer = { status: 500, body: errorBody('INTERNAL', 'the sandbox failed; its log says why', null) }
  }
  // What was not read of a request would be taken for the next one.
  if (!request.complete) response.setHeader('connection', 'close')
  sendJson(response, answer)
}

/** Answers what never became a request: garbage, too long a header, too slow a client. */
function refuseConnection(fault: NodeJS.ErrnoException, socket: Duplex): void {
  if (!socket.writable) {
    socket.destroy()
    return
  }
  const [status, message] = CONNECTION_FAULTS[fault.code ?? ''] ?? ['400 Bad Request', 'this is not an HTTP/1.1 request']
  const body = JSON.stringify(errorBody('INVALID_INPUT', message, null))
  socket.end(
    `HTTP/1.1 ${status}\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  )
}
