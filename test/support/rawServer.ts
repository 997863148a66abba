import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A request as it came in, and the way to answer it. */
export interface RawCall {
  readonly method: string
  /** With the query. */
  readonly path: string
  readonly headers: IncomingMessage['headers']
  readonly body: string
  readonly response: ServerResponse
  json(status: number, body: unknown, headers?: Record<string, string>): void
  /** Cuts the connection without an answer. */
  reset(): void
}

export interface RawServer extends AsyncDisposable {
  readonly url: string
  readonly calls: RawCall[]
  /** From now on calls are answered so. */
  answer: (call: RawCall) => void
}

/** A server of plain node:http that does what the test says, good or bad. */
export async function startRawServer(answer: (call: RawCall) => void = () => {}): Promise<RawServer> {
  const calls: RawCall[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const call: RawCall = {
        method: request.method ?? '',
        path: request.url ?? '',
        headers: request.headers,
        body: Buffer.concat(chunks).toString(),
        response,
        json(status, body, headers = {}) {
          response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
        },
        reset: () => request.socket.destroy(),
      }
      calls.push(call)
      started.answer(call)
    })
  })
  const listening = Promise.withResolvers<void>()
  server.listen(0, '127.0.0.1', listening.resolve)
  await listening.promise
  const started: RawServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    answer,
    async [Symbol.asyncDispose]() {
      const closed = Promise.withResolvers<void>()
      server.close(() => closed.resolve())
      server.closeAllConnections()
      await closed.promise
    },
  }
  return started
}
