import type { Clock } from '../../core/clock.ts'
import type { FaultPlan } from '../faults/faultPlan.ts'
import type { Endpoint, PendingDelivery, WebhookStore } from '../store/webhookStore.ts'
import type { WebhookSender } from './sender.ts'

const SECOND_MS = 1000
const MINUTE_MS = 60 * SECOND_MS
const HOUR_MS = 60 * MINUTE_MS

/** Part 6 of the specification, "Delivery rules": after each failed attempt but the last, how long until the next. */
const RETRY_AFTER_MS = [10 * SECOND_MS, 30 * SECOND_MS, 2 * MINUTE_MS, 10 * MINUTE_MS, 30 * MINUTE_MS, HOUR_MS, 2 * HOUR_MS] as const

/** Attempts under way to one endpoint: the others wait, and no other endpoint with them. */
const MOST_AT_ONCE = 4

export interface CourierOptions {
  readonly store: WebhookStore
  readonly clock: Clock
  readonly faults: FaultPlan
  readonly sender: Pick<WebhookSender, 'send'>
  readonly onFault: (fault: unknown) => void
}

/** An attempt that was not acknowledged. */
export interface FailedAttempt {
  /** Unix milliseconds, by the sandbox's clock. */
  readonly at: number
  readonly reason: string
}

/** Carries one agent's deliveries to its endpoint: a few at a time, the longest due first. */
export class Courier {
  readonly #agentId: string
  readonly #options: CourierOptions
  /** Events with an attempt under way. */
  readonly #carried = new Set<number>()
  readonly #underWay = new Set<Promise<void>>()
  #lastFailure: { readonly endpoint: Endpoint; readonly attempt: FailedAttempt } | undefined
  #cancelTimer: (() => void) | undefined
  #stopped = false

  constructor(agentId: string, options: CourierOptions) {
    this.#agentId = agentId
    this.#options = options
  }

  /** Starts what is due, and sets the timer for what falls due next. */
  pump(): void {
    const { store, clock } = this.#options
    // The end of an attempt pumps again.
    if (this.#stopped || this.#underWay.size >= MOST_AT_ONCE) return
    this.#cancelTimer?.()
    this.#cancelTimer = undefined
    const nowMs = clock.now()
    // What is carried is still among them: as many as can be carried are enough.
    for (const delivery of store.next(this.#agentId, MOST_AT_ONCE)) {
      const endpoint = store.endpoints.get(this.#agentId)
      if (endpoint === undefined || this.#underWay.size >= MOST_AT_ONCE) return
      if (this.#carried.has(delivery.eventSeq)) continue
      if (delivery.dueAtMs > nowMs) {
        this.#cancelTimer = clock.at(delivery.dueAtMs, () => this.pump())
        return
      }
      this.#track(this.#attempt(delivery, endpoint))
    }
  }

  /** Of attempts to the endpoint that there is now, since the sandbox was started. */
  get lastFailure(): FailedAttempt | undefined {
    const { endpoint, attempt } = this.#lastFailure ?? {}
    return endpoint === this.#options.store.endpoints.get(this.#agentId) ? attempt : undefined
  }

  /** Resolves when no attempt is under way. */
  async idle(): Promise<void> {
    while (this.#underWay.size > 0) await Promise.all(this.#underWay)
  }

  /** Starts nothing more, and forgets how attempts under way end. */
  stop(): void {
    this.#stopped = true
    this.#cancelTimer?.()
  }

  #track(attempt: Promise<void>): void {
    const tracked = attempt
      .finally(() => this.#underWay.delete(tracked))
      .then(() => this.pump())
      .catch(this.#options.onFault)
    this.#underWay.add(tracked)
  }

  async #attempt(delivery: PendingDelivery, endpoint: Endpoint): Promise<void> {
    const { store, clock, faults } = this.#options
    const { eventSeq, eventId, attempts } = delivery
    this.#carried.add(eventSeq)
    try {
      const failed = await this.#send(delivery, endpoint)
      // An answer of the endpoint before says nothing about the one there is now.
      if (this.#stopped || store.endpoints.get(this.#agentId) !== endpoint) return
      const retryAfterMs = RETRY_AFTER_MS[attempts]
      if (failed !== undefined) this.#lastFailure = { endpoint, attempt: { at: clock.now(), reason: failed } }
      if (failed === undefined) {
        store.end(this.#agentId, eventSeq, 'delivered')
        if (faults.isSentTwice(eventId)) await this.#send(delivery, endpoint)
      } else if (retryAfterMs === undefined) store.end(this.#agentId, eventSeq, 'dropped')
      else store.retryAt(eventSeq, attempts + 1, clock.now() + retryAfterMs)
    } finally {
      this.#carried.delete(eventSeq)
    }
  }

  #send({ body }: PendingDelivery, { url, secret }: Endpoint): Promise<string | undefined> {
    const { id, type, data, createdAt } = JSON.parse(body) as Record<string, unknown>
    const payload = JSON.stringify({ id, type, agentId: this.#agentId, createdAt, data })
    return this.#options.sender.send({ url, secret, body: payload, atMs: this.#options.clock.now() })
  }
}
