import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { invariant } from '../../core/error.ts'
import { inArrays } from './inArrays.ts'

export interface Endpoint {
  readonly url: string
  /** `whsec_…`: a signature needs it as it is, so it cannot be kept as a hash. */
  readonly secret: string
}

export interface EndpointCounts {
  /** Deliveries that wait for their first or next attempt. */
  readonly pending: number
  /** Events the endpoint has acknowledged. */
  readonly delivered: number
  /** Events given up after the last attempt: they stay readable by polling. */
  readonly dropped: number
}

export interface PendingDelivery {
  /** The event's place among all events. */
  readonly eventSeq: number
  /** When its next attempt is due, Unix milliseconds. */
  readonly dueAtMs: number
  readonly eventId: string
  /** `eventBody` of the event. */
  readonly body: string
  /** Attempts that failed. */
  readonly attempts: number
}

/**
 * Endpoints and what is still to be delivered to them. A delivery is written with its event in one
 * transaction, and taken out when it has ended: what was under way when the process died is sent again.
 */
export class WebhookStore {
  readonly #statements: ReturnType<typeof prepare>
  readonly #endpoints: Map<string, Endpoint>
  readonly #transaction: (write: () => void) => void

  /** @param transaction runs what it is given as one transaction, or undoes it all */
  constructor(database: DatabaseSync, transaction: (write: () => void) => void) {
    this.#statements = prepare(database)
    this.#transaction = transaction
    this.#endpoints = new Map(
      this.#statements.endpoints.all().map((row) => [String(row.agent_id), { url: String(row.url), secret: String(row.secret) }]),
    )
  }

  /** Every endpoint there is, by agent. */
  get endpoints(): ReadonlyMap<string, Endpoint> {
    return this.#endpoints
  }

  /** Gives an agent an endpoint in place of the one it had; what is pending goes to the new one. Counts begin anew. */
  setEndpoint(agentId: string, endpoint: Endpoint): void {
    this.#statements.setEndpoint.run(agentId, endpoint.url, endpoint.secret)
    this.#endpoints.set(agentId, endpoint)
  }

  /** Takes the endpoint away, with everything that was pending. */
  clearEndpoint(agentId: string): void {
    this.#transaction(() => {
      this.#statements.clearDeliveries.run(agentId)
      this.#statements.clearEndpoint.run(agentId)
    })
    this.#endpoints.delete(agentId)
  }

  /** Only within the transaction that writes the event. */
  add(eventSeq: number | bigint, agentId: string, dueAtMs: number): void {
    this.#statements.add.run(eventSeq, agentId, dueAtMs)
  }

  /** What is next to be delivered to an agent, the longest due first. */
  next(agentId: string, limit: number): PendingDelivery[] {
    const rows = this.#statements.next.all(agentId, limit) as unknown as readonly NextRow[]
    return rows.map(([eventSeq, dueAtMs, eventId, body, attempts]) => ({ eventSeq, dueAtMs, eventId, body, attempts }))
  }

  retryAt(eventSeq: number, attempts: number, dueAtMs: number): void {
    this.#statements.retry.run(attempts, dueAtMs, eventSeq)
  }

  /** Ends a delivery, and counts how. */
  end(agentId: string, eventSeq: number, how: 'delivered' | 'dropped'): void {
    this.#transaction(() => {
      this.#statements.drop.run(eventSeq)
      this.#statements[how].run(agentId)
    })
  }

  counts(agentId: string): EndpointCounts | undefined {
    const row = this.#statements.counts.get(agentId)
    if (row === undefined) return undefined
    const pending = this.#statements.pending.get(agentId)
    invariant(pending !== undefined, 'a count gave no row')
    return { pending: Number(pending.pending), delivered: Number(row.delivered), dropped: Number(row.dropped) }
  }
}

type NextRow = readonly [eventSeq: number, dueAtMs: number, eventId: string, body: string, attempts: number]

function prepare(database: DatabaseSync) {
  const sql = (text: string): StatementSync => database.prepare(text)
  return {
    endpoints: sql('SELECT agent_id, url, secret FROM endpoints'),
    setEndpoint: sql('INSERT OR REPLACE INTO endpoints (agent_id, url, secret, delivered, dropped) VALUES (?, ?, ?, 0, 0)'),
    clearEndpoint: sql('DELETE FROM endpoints WHERE agent_id = ?'),
    clearDeliveries: sql('DELETE FROM deliveries WHERE agent_id = ?'),
    add: sql('INSERT INTO deliveries (event_seq, agent_id, due_at, attempts) VALUES (?, ?, ?, 0)'),
    next: inArrays(
      sql(`
        SELECT event_seq, due_at, id, body, attempts FROM deliveries JOIN events ON events.seq = deliveries.event_seq
        WHERE deliveries.agent_id = ? ORDER BY due_at, event_seq LIMIT ?
      `),
    ),
    retry: sql('UPDATE deliveries SET attempts = ?, due_at = ? WHERE event_seq = ?'),
    drop: sql('DELETE FROM deliveries WHERE event_seq = ?'),
    delivered: sql('UPDATE endpoints SET delivered = delivered + 1 WHERE agent_id = ?'),
    dropped: sql('UPDATE endpoints SET dropped = dropped + 1 WHERE agent_id = ?'),
    counts: sql('SELECT delivered, dropped FROM endpoints WHERE agent_id = ?'),
    pending: sql('SELECT count(*) AS pending FROM deliveries WHERE agent_id = ?'),
  }
}
