import type { Clock } from '../../../src/core/clock.ts'
import type { Random } from '../../../src/core/random.ts'
import { Refusal } from './refusal.ts'

/** Part 6: what happens to an agent, in order. */
export interface AgentEvent {
  readonly id: string
  readonly type: string
  readonly data: Readonly<Record<string, unknown>>
  readonly createdAt: string
}

type Listener = (agentId: string, event: AgentEvent) => void

/** One ordered stream for each agent. An event is appended by what changes the state, in the same turn: nobody can read one without the other. */
export class EventStream {
  readonly #clock: Clock
  readonly #random: Random
  readonly #streams = new Map<string, AgentEvent[]>()
  readonly #listeners: Listener[] = []
  #lastMs = 0
  #count = 0

  constructor(clock: Clock, random: Random) {
    this.#clock = clock
    this.#random = random
  }

  /** Only agents that were opened have a stream: nobody reads those of the house. */
  open(agentId: string): void {
    this.#streams.set(agentId, [])
  }

  listen(listener: Listener): void {
    this.#listeners.push(listener)
  }

  append(agentId: string, type: string, data: Readonly<Record<string, unknown>>): void {
    const stream = this.#streams.get(agentId)
    if (stream === undefined) return
    const event = { id: this.#nextId(), type, data, createdAt: new Date(this.#clock.now()).toISOString() }
    stream.push(event)
    for (const listener of this.#listeners) listener(agentId, event)
  }

  page(agentId: string, after: string | null, limit: number): { readonly events: readonly AgentEvent[]; readonly cursor: string | null } {
    const stream = this.#streams.get(agentId) ?? []
    const start = after === null ? 0 : stream.findIndex(({ id }) => id === after) + 1
    if (after !== null && start === 0) throw new Refusal('CURSOR_FOREIGN', 'no event of yours has that id', { after })
    const events = stream.slice(start, start + limit)
    return { events, cursor: events.at(-1)?.id ?? after }
  }

  newest(agentId: string): string | null {
    return this.#streams.get(agentId)?.at(-1)?.id ?? null
  }

  /** UUIDv7: milliseconds, then a counter within them, then chance. */
  #nextId(): string {
    const nowMs = Math.max(this.#clock.now(), this.#lastMs)
    this.#count = nowMs === this.#lastMs ? this.#count + 1 : 0
    this.#lastMs = nowMs
    const time = nowMs.toString(16).padStart(12, '0')
    const counter = (this.#count & 0xfff).toString(16).padStart(3, '0')
    const chance = Array.from({ length: 15 }, () => this.#random.integer(0, 15).toString(16)).join('')
    return `${time.slice(0, 8)}-${time.slice(8)}-7${counter}-8${chance.slice(0, 3)}-${chance.slice(3)}`
  }
}
