import { createHmac } from 'node:crypto'
import { connect } from 'node:net'
import { keyedUuid } from '../../src/core/ids.ts'

// Webhook deliveries written from part 6 of the specification on node:crypto and node:net alone, good ones and every kind of bad one.

export interface Delivery {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}

export const AGENT_ID = keyedUuid('agent')

/** The body of the n-th event of an agent. */
export const bodyOf = (n: number, agentId = AGENT_ID): string =>
  `{"id":"${keyedUuid('event', n)}","type":"contest.live","agentId":"${agentId}","createdAt":"2025-07-21T12:00:00.000Z","data":{"mode":"up_down"}}`

export interface DeliveryOptions {
  readonly bot?: string
  readonly secret: string
  readonly atMs: number
  readonly body: string | Buffer
}

/** A delivery as the service signs it. */
export function deliveryOf({ bot = 'alice', secret, atMs, body: content }: DeliveryOptions): Delivery {
  const body = Buffer.from(content)
  const timestamp = String(Math.floor(atMs / 1000))
  return {
    method: 'POST',
    path: `/webhooks/${bot}`,
    headers: {
      'content-type': 'application/json',
      'user-agent': 'svc-webhooks/1',
      'x-svc-timestamp': timestamp,
      'x-svc-signature': `sha256=${createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest('hex')}`,
    },
    body,
  }
}

/** The same delivery with other headers; one that is undefined is left out. */
export function withHeaders(delivery: Delivery, headers: Readonly<Record<string, string | undefined>>): Delivery {
  const all = Object.entries({ ...delivery.headers, ...headers })
  return { ...delivery, headers: Object.fromEntries(all.filter((pair): pair is [string, string] => pair[1] !== undefined)) }
}

/** Line, headers and body on the wire, in one connection of its own. */
export function bytesOf({ method, path, headers, body }: Delivery): Buffer {
  const all = { host: 'localhost', connection: 'close', 'content-length': String(body.length), ...headers }
  const lines = [`${method} ${path} HTTP/1.1`, ...Object.entries(all).map(([name, value]) => `${name}: ${value}`)]
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), body])
}

export interface RawAnswer {
  /** 0 where the connection ended without an answer. */
  readonly status: number
  readonly text: string
}

/** Sends bytes over a connection of their own, and reads until it ends. */
export function sendBytes(url: string, bytes: Uint8Array): Promise<RawAnswer> {
  const { promise, resolve } = Promise.withResolvers<RawAnswer>()
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  let text = ''
  socket.setEncoding('latin1').on('data', (part) => {
    text += part
  })
  // Whoever is refused in the middle of sending is cut off.
  socket.on('error', () => {})
  socket.once('close', () => resolve({ status: Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1] ?? 0), text }))
  socket.write(bytes)
  return promise
}

export const deliver = async (url: string, delivery: Delivery): Promise<number> => (await sendBytes(url, bytesOf(delivery))).status
