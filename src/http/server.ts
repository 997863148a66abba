import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Clock } from '../core/clock.ts'
import { messageOf } from '../core/error.ts'

/** What is under way when a server closes gets this long to end. */
const CLOSING_MS = 200

export interface ServerLimits {
  /** How long a client may take to send a request. */
  readonly requestTimeoutMs: number
  /** How long a connection without a request is kept. Default: Node's 5 s. */
  readonly keepAliveMs?: number
  readonly largestHeaderBytes: number
}

/** A server that waits for no slow client. */
export function serverOf(
  { requestTimeoutMs, keepAliveMs, largestHeaderBytes }: ServerLimits,
  answer: (request: IncomingMessage, response: ServerResponse) => void,
): Server {
  const limits = {
    headersTimeout: requestTimeoutMs,
    requestTimeout: requestTimeoutMs,
    connectionsCheckingInterval: Math.min(1000, requestTimeoutMs),
    maxHeaderSize: largestHeaderBytes,
  }
  const server = createServer(keepAliveMs === undefined ? limits : { ...limits, keepAliveTimeout: keepAliveMs }, answer)
  // A connection that cannot be taken, for want of a descriptor, is lost: no reason for a process of bots to end.
  server.on('error', () => {})
  return server
}

/**
 * @param port 0: any free one
 * @throws the system's error, such as `EADDRINUSE`; the server can be tried on another port then
 */
export async function listen(server: Server, { host, port }: { readonly host: string; readonly port: number }): Promise<void> {
  server.listen(port, host)
  await once(server, 'listening')
}

/** Where it is the host that cannot be had. */
const HOST_FAULTS: ReadonlySet<unknown> = new Set(['EADDRNOTAVAIL', 'EAFNOSUPPORT', 'ENOTFOUND', 'EAI_AGAIN'])

/**
 * Why `listen` has failed, and what to do about it, in words.
 *
 * @param ofPort what to do where it is not the host that cannot be had
 */
export function listenProblem(
  cause: unknown,
  { host, port, ofPort }: { readonly host: string; readonly port: number; readonly ofPort: string },
): string {
  const isOfHost = HOST_FAULTS.has((cause as NodeJS.ErrnoException).code)
  const remedy = isOfHost ? 'the host must be an address of this machine, such as 127.0.0.1' : ofPort
  return `cannot listen on ${host}:${port} (${messageOf(cause)}): ${remedy}`
}

/** Where a server that listens can be reached. */
export function urlOf(server: Server): string {
  const { address, family, port } = server.address() as AddressInfo
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`
}

/** Ends within a second, whoever is connected. */
export async function closeServer(server: Server, clock: Clock): Promise<void> {
  const closed = once(server, 'close')
  server.close()
  server.closeIdleConnections()
  const cancel = clock.at(clock.now() + CLOSING_MS, () => server.closeAllConnections())
  await closed
  cancel()
}
