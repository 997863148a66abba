import type { EventType } from '../contract/events.ts'

/** One event of one agent's stream, as the wire has it: amounts as digit strings, times as ISO text. */
export interface AgentEvent {
  /** UUIDv7 of (time, global event counter): ordered as it happened. */
  readonly id: string
  readonly agentId: string
  readonly type: EventType
  readonly data: Readonly<Record<string, unknown>>
  readonly createdAt: string
}
