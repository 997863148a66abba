import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { TlsOptions } from 'node:tls'

// For tests: a webhook receiver written from part 6 of the specification on node:crypto alone. It shares
// no code with the sandbox.

export interface Received {
  readonly headers: IncomingMessage['headers']
  /** The exact text that came. */
  readonly raw: string
  readonly body: {
    readonly id: string
    readonly type: string
    readonly agentId: string
    readonly createdAt: string
    readonly data: unknown
  }
}

export type Reply = (response: ServerResponse, received: Received) => void

export interface TestReceiver {
  readonly url: string
  readonly received: Received[]
  /** What it answers with; at first 204. */
  reply: Reply
  close(): Promise<void>
}

const accept: Reply = (response) => void response.writeHead(204).end()

/** A receiver on loopback: over https where it has a certificate to show. */
export async function openReceiver(tls?: TlsOptions): Promise<TestReceiver> {
  const received: Received[] = []
  const listen = (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const raw = Buffer.concat(chunks).toString()
      const one = { headers: request.headers, raw, body: JSON.parse(raw) as Received['body'] }
      received.push(one)
      receiver.reply(response, one)
    })
  }
  const server = tls === undefined ? createServer(listen) : createTlsServer(tls, listen)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const receiver: TestReceiver = {
    url: `${tls === undefined ? 'http' : 'https'}://127.0.0.1:${(server.address() as AddressInfo).port}/hook?from=sandbox`,
    received,
    reply: accept,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  return receiver
}

/** Whether the delivery is signed with this secret, and its timestamp at most 5 minutes from now. */
export function isGenuine({ headers, raw }: Received, secret: string, nowMs: number): boolean {
  const timestamp = String(headers['x-svc-timestamp'])
  const expected = `sha256=${createHmac('sha256', secret).update(`${timestamp}.${raw}`).digest('hex')}`
  const given = String(headers['x-svc-signature'])
  const isSigned = given.length === expected.length && timingSafeEqual(Buffer.from(given), Buffer.from(expected))
  return isSigned && /^\d+$/.test(timestamp) && Math.abs(nowMs / 1000 - Number(timestamp)) <= 300
}
