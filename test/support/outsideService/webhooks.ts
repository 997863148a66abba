import { createHmac, randomBytes } from 'node:crypto'
import { fetch } from 'undici'
import type { AgentEvent } from './eventStream.ts'
import { msOf, type Pace } from './pace.ts'
import type { Timetable } from './timetable.ts'

interface Endpoint {
  readonly url: string
  readonly secret: string
}

const RETRY_SEC = [10, 30, 120, 600, 1800, 3600, 7200]
const TIMEOUT_MS = 5000

/** Part 6, deliveries. Retries come as the pace has it. The owner here may set an address on loopback: it is a service for tests. */
export class Webhooks {
  readonly #timetable: Timetable
  readonly #pace: Pace
  readonly #endpoints = new Map<string, Endpoint>()
  /** For who waits until they are done. */
  readonly underWay = new Set<Promise<void>>()

  constructor(timetable: Timetable, pace: Pace) {
    this.#timetable = timetable
    this.#pace = pace
  }

  /** @returns the signing secret, a new one each time */
  set(agentId: string, url: string): string {
    const secret = `whsec_${randomBytes(24).toString('base64url')}`
    this.#endpoints.set(agentId, { url, secret })
    return secret
  }

  clear(agentId: string): void {
    this.#endpoints.delete(agentId)
  }

  urlOf(agentId: string): string | null {
    return this.#endpoints.get(agentId)?.url ?? null
  }

  deliver(agentId: string, event: AgentEvent, attempt = 0): void {
    const endpoint = this.#endpoints.get(agentId)
    if (endpoint === undefined) return
    const sending = this.#send(endpoint, agentId, event).then((isTaken) => {
      this.underWay.delete(sending)
      const waitSec = RETRY_SEC[attempt]
      if (!isTaken && waitSec !== undefined)
        this.#timetable.after(msOf(this.#pace, waitSec), () => this.deliver(agentId, event, attempt + 1))
    })
    this.underWay.add(sending)
  }

  async #send(endpoint: Endpoint, agentId: string, { id, type, createdAt, data }: AgentEvent): Promise<boolean> {
    const body = JSON.stringify({ id, type, agentId, createdAt, data })
    const timestamp = Math.floor(this.#timetable.now() / 1000).toString()
    const signature = createHmac('sha256', endpoint.secret).update(`${timestamp}.${body}`).digest('hex')
    const headers = {
      'content-type': 'application/json',
      'user-agent': 'svc-webhooks/1',
      'x-svc-timestamp': timestamp,
      'x-svc-signature': `sha256=${signature}`,
    }
    try {
      const signal = AbortSignal.timeout(TIMEOUT_MS)
      const response = await fetch(endpoint.url, { method: 'POST', headers, body, redirect: 'manual', signal })
      await response.arrayBuffer()
      return response.ok
    } catch {
      return false
    }
  }
}
