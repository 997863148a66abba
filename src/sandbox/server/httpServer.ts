import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { createHTTPHandler } from '@trpc/server/adapters/standalone'
import { AGENT_KEY_HEADER } from '../../contract/wire.ts'
import { CornermanError, messageOf } from '../../core/error.ts'
import type { SandboxService } from '../sandboxService.ts'
import { LARGEST_BODY_BYTES, readError } from './appError.ts'
import { answerPrices, type JsonAnswer } from './priceApi.ts'
import { sandboxRouter } from './router.ts'
import { SlidingWindow } from './slidingWindow.ts'

const MINUTE_MS = 60_000
const READS_A_MINUTE = 300
const ACTIONS_A_MINUTE = 120
const LARGEST_HEADER_BYTES = 16 * 1024
const REQUEST_TIMEOUT_MS = 10_000
const KEEP_ALIVE_MS = 30_000
/** What is under way when the server closes gets this long to end. */
const CLOSING_MS = 200

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
  /** How long a client may take to send a request. Default 10 s. */
  readonly requestTimeoutMs?: number | undefined
  /** Hears of every fault that was answered with INTERNAL. */
  readonly onFault: (fault: unknown) => void
}

export interface HttpServer {
  readonly url: string
  close(): Promise<void>
}

type Route = (query: URLSearchParams) => JsonAnswer

/** Serves the procedures of the contract, and beside them the DEX's prices. */
export async function startHttpServer(options: HttpServerOptions): Promise<HttpServer> {
  const { service, host, port, readLimit = READS_A_MINUTE, requestTimeoutMs = REQUEST_TIMEOUT_MS, onFault } = options
  const reads = new SlidingWindow(readLimit, MINUTE_MS)
  const actions = new SlidingWindow(ACTIONS_A_MINUTE, MINUTE_MS)
  const answerProcedure = createHTTPHandler({
    router: sandboxRouter,
    allowBatching: false,
    maxBodySize: LARGEST_BODY_BYTES,
    createContext: ({ req }) => ({ key: singleHeader(req, AGENT_KEY_HEADER), service, reads, actions }),
    onError({ error }) {
      if (readError(error).appCode === 'INTERNAL') onFault(error.cause ?? error)
    },
    responseMeta({ errors }) {
      const cause = errors[0]?.cause
      const retryAfterMs = cause instanceof CornermanError ? cause.details.retryAfterMs : undefined
      const retryAfter = typeof retryAfterMs === 'number' ? { 'retry-after': String(Math.ceil(retryAfterMs / 1000)) } : {}
      // tRPC leaves the type out of answers to what it could not route.
      return { headers: { 'content-type': 'application/json', ...retryAfter } }
    },
  })
  const routes: ReadonlyMap<string, Route> = new Map([['/jup/price/v3', (query) => answerPrices(service, query)]])

  const server = createServer(
    {
      headersTimeout: requestTimeoutMs,
      requestTimeout: requestTimeoutMs,
      keepAliveTimeout: KEEP_ALIVE_MS,
      connectionsCheckingInterval: Math.min(1000, requestTimeoutMs),
      maxHeaderSize: LARGEST_HEADER_BYTES,
    },
    (request, response) => {
      const url = URL.parse(request.url ?? '', 'http://sandbox')
      const route = routes.get(url?.pathname ?? '')
      if (url === null || route === undefined) answerProcedure(request, response)
      else if (request.method !== 'GET') sendJson(response, { status: 405, body: { code: 405, message: 'only GET is answered here' } })
      else sendJson(response, route(url.searchParams))
    },
  )
  server.on('clientError', refuseConnection)
  const bound = Promise.withResolvers<void>()
  server.once('error', (cause) => {
    bound.reject(
      new CornermanError('SANDBOX_PORT', `cannot listen on ${host}:${port} (${messageOf(cause)}): choose another port, or 0 for any`, {
        cause,
      }),
    )
  })
  server.listen(port, host, bound.resolve)
  await bound.promise
  return { url: urlOf(server.address() as AddressInfo), close: () => closeServer(server) }
}

function singleHeader(request: IncomingMessage, name: string): string | undefined {
  const value = request.headers[name]
  return Array.isArray(value) ? value.join(',') : value
}

function sendJson(response: ServerResponse, { status, body }: JsonAnswer): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

/** Answers what never became a request: garbage, too long a header, too slow a client. */
function refuseConnection(fault: NodeJS.ErrnoException, socket: Duplex): void {
  if (!socket.writable) {
    socket.destroy()
    return
  }
  const [status, message] = CONNECTION_FAULTS[fault.code ?? ''] ?? ['400 Bad Request', 'this is not an HTTP/1.1 request']
  const body = JSON.stringify({ error: { json: { message, data: { appCode: 'INVALID_INPUT', details: null } } } })
  socket.end(
    `HTTP/1.1 ${status}\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  )
}

function urlOf({ address, family, port }: AddressInfo): string {
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`
}

async function closeServer(server: ReturnType<typeof createServer>): Promise<void> {
  const closed = Promise.withResolvers<void>()
  server.close(() => closed.resolve())
  server.closeIdleConnections()
  const cutOff = setTimeout(() => server.closeAllConnections(), CLOSING_MS)
  await closed.promise
  clearTimeout(cutOff)
}
