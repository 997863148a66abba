import { randomBytes } from 'node:crypto'
import type { AgentEvent } from '../../contests/index.ts'
import type { Clock } from '../../core/clock.ts'
import type { FaultPlan } from '../faults/faultPlan.ts'
import type { Outbox } from '../sandboxService.ts'
import type { Endpoint, EndpointCounts, WebhookStore } from '../store/webhookStore.ts'
import { Courier, type FailedAttempt } from './courier.ts'
import { checkEndpoint, type EndpointRules, type Resolve } from './endpointUrl.ts'
import { WebhookSender } from './sender.ts'

const SECRET_BYTES = 32

export interface WebhooksOptions extends EndpointRules {
  readonly store: WebhookStore
  readonly clock: Clock
  readonly faults: FaultPlan
  readonly resolve: Resolve
  /** How long a receiver has to answer. Default 5 s, real time. */
  readonly responseMs?: number | undefined
  /** Hears of what the sandbox itself failed at: a receiver that fails is no fault. */
  readonly onFault: (fault: unknown) => void
}

/** What an owner may know of an endpoint after it was set. */
export interface EndpointView extends EndpointCounts {
  readonly url: string
  /** The newest attempt that was not acknowledged, since the sandbox was started; null: there was none. */
  readonly lastFailure: FailedAttempt | null
}

/** Delivers every event to its agent's endpoint, as part 6 of the specification has it. */
export class Webhooks implements Outbox {
  readonly #options: WebhooksOptions
  readonly #sender: WebhookSender
  readonly #couriers = new Map<string, Courier>()
  #closed = false

  constructor(options: WebhooksOptions) {
    this.#options = options
    this.#sender = new WebhookSender(options)
  }

  /** Takes up what an earlier run left undelivered. */
  start(): void {
    for (const agentId of this.#options.store.endpoints.keys()) this.#courierOf(agentId).pump()
  }

  /**
   * Gives an agent an endpoint, in place of the one it had. What is pending goes to the new one.
   *
   * @returns with the signing secret, which is shown here and never again
   * @throws CornermanError `WEBHOOK_URL`
   */
  async set(agentId: string, url: string): Promise<Endpoint> {
    await checkEndpoint(url, this.#options)
    const endpoint = { url, secret: `whsec_${randomBytes(SECRET_BYTES).toString('base64url')}` }
    this.#options.store.setEndpoint(agentId, endpoint)
    this.#courierOf(agentId).pump()
    return endpoint
  }

  /** Stops deliveries to an agent's endpoint; what was pending is forgotten. */
  clear(agentId: string): void {
    this.#options.store.clearEndpoint(agentId)
  }

  view(agentId: string): EndpointView | undefined {
    const { store } = this.#options
    const url = store.endpoints.get(agentId)?.url
    const counts = store.counts(agentId)
    if (url === undefined || counts === undefined) return undefined
    return { url, ...counts, lastFailure: this.#couriers.get(agentId)?.lastFailure ?? null }
  }

  deliverAt(events: readonly AgentEvent[]): ReadonlyMap<string, number> | undefined {
    const { store, clock, faults } = this.#options
    if (store.endpoints.size === 0) return undefined
    const nowMs = clock.now()
    return new Map(events.flatMap(({ id, agentId }) => (store.endpoints.has(agentId) ? [[id, nowMs + faults.holdMs(id)] as const] : [])))
  }

  posted(events: readonly AgentEvent[]): void {
    const { endpoints } = this.#options.store
    if (endpoints.size === 0) return
    for (const agentId of new Set(events.map((event) => event.agentId))) if (endpoints.has(agentId)) this.#courierOf(agentId).pump()
  }

  /** Resolves when no attempt is under way: those for later are waited for by the clock alone. */
  async idle(): Promise<void> {
    await Promise.all([...this.#couriers.values()].map((courier) => courier.idle()))
  }

  /** Cuts short what is under way; the next start sends it again. */
  async close(): Promise<void> {
    this.#closed = true
    for (const courier of this.#couriers.values()) courier.stop()
    await this.#sender.close()
    await this.idle()
  }

  #courierOf(agentId: string): Courier {
    let courier = this.#couriers.get(agentId)
    if (courier === undefined) {
      courier = new Courier(agentId, { ...this.#options, sender: this.#sender })
      if (this.#closed) courier.stop()
      this.#couriers.set(agentId, courier)
    }
    return courier
  }
}
