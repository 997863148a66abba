import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import type { Clock } from '../../../src/core/clock.ts'
import { Refusal } from './refusal.ts'

/** A request that came in whole. */
export interface Asked {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

export interface Told {
  readonly status: number
  readonly body: unknown
}

/** What goes wrong on demand: `cut` does what was asked and breaks the connection, `crash` does nothing and says 500. */
export type Fault = 'cut' | 'crash'

const PACKING = ['gzip', 'br', 'gzip', 'br', 'identity'] as const
const LARGEST_BODY = 256 * 1024

/** The port, with everything of HTTP that has nothing to do with contests. */
export class HttpFront {
  readonly #clock: Clock
  readonly #answer: (asked: Asked) => Promise<Told>
  #server: Server | undefined
  #port: number
  #count = 0
  readonly #faults: Fault[] = []

  constructor(clock: Clock, port: number, answer: (asked: Asked) => Promise<Told>) {
    this.#clock = clock
    this.#port = port
    this.#answer = answer
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`
  }

  /** The port it had before, where it had one. */
  async open(): Promise<void> {
    if (this.#server !== undefined) return
    this.#server = createServer((request, response) => void this.#serve(request, response))
    this.#server.listen(this.#port, '127.0.0.1')
    await once(this.#server, 'listening')
    this.#port = (this.#server.address() as AddressInfo).port
  }

  /** Connections are cut; who calls is refused by the system. */
  async close(): Promise<void> {
    const server = this.#server
    if (server === undefined) return
    this.#server = undefined
    const closed = once(server, 'close')
    server.close()
    server.closeAllConnections()
    await closed
  }

  /** For the next calls, one each. */
  fail(faults: readonly Fault[]): void {
    this.#faults.push(...faults)
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    let size = 0
    try {
      for await (const chunk of request) {
        const part = chunk as Buffer
        size += part.length
        if (size > LARGEST_BODY) {
          request.destroy()
          return
        }
        chunks.push(part)
      }
    } catch {
      // The caller hung up.
      return
    }
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://service')
    const asked = {
      method: request.method ?? '',
      path: pathname.slice(1),
      query: searchParams,
      headers: request.headers,
      body: Buffer.concat(chunks).toString(),
    }
    const fault = asked.path.startsWith('owner/') ? undefined : this.#faults.shift()
    if (fault === 'crash') return this.#tell(request, response, { status: 500, body: errorBody(new Refusal('BROKEN', 'something broke')) })
    const told = await this.#answer(asked)
    if (fault === 'cut') request.socket.destroy()
    else this.#tell(request, response, told)
  }

  #tell(request: IncomingMessage, response: ServerResponse, { status, body }: Told): void {
    const text = Buffer.from(JSON.stringify(body))
    const packing = packingFor(request.headers['accept-encoding'], this.#count++)
    const packed = packing === 'gzip' ? gzipSync(text) : packing === 'br' ? brotliCompressSync(text) : text
    response.writeHead(status, {
      'content-type': 'application/json; charset=utf-8',
      date: new Date(this.#clock.now()).toUTCString(),
      ...(packing === 'identity' ? {} : { 'content-encoding': packing }),
      'content-length': packed.length,
    })
    response.end(packed)
  }
}

/** In turns, where the caller takes it. */
function packingFor(accepted: string | string[] | undefined, count: number): (typeof PACKING)[number] {
  const offered = String(accepted ?? '')
    .split(',')
    .map((one) => one.trim().split(';'))
    .flatMap(([name = '', weight]) => (weight?.trim() === 'q=0' ? [] : [name]))
  const packing = PACKING[count % PACKING.length] ?? 'identity'
  return offered.includes(packing) ? packing : offered.includes('gzip') && packing !== 'identity' ? 'gzip' : 'identity'
}

export const errorBody = ({ message, appCode, details }: Refusal) => ({ error: { json: { message, data: { appCode, details } } } })
