import { z } from 'zod'
import { timeOfUuidv7 } from '../core/ids.ts'
import { resultSchema } from './enums.ts'
import { amountSchema, idSchema, instantSchema, lenient, signedAmountSchema } from './scalars.ts'

// Part 6 of the specification. Objects are loose: fields the service adds are kept. A value from a
// list that may grow (a mode, say) is text here, so that a new one does not make an event unreadable.

// What the books do not need is lenient: one odd field must not hide that money has moved.
const matchData = z.looseObject({
  ticketId: idSchema,
  contestId: idSchema,
  opponents: lenient(z.string()),
  mode: z.string(),
  stake: amountSchema,
  error: z.unknown().optional(),
})

export const eventDataSchemas = {
  'match.found': matchData,
  'ticket.expired': z.looseObject({ ticketId: idSchema }),
  'ticket.failed': matchData.extend({ contestId: idSchema.nullish() }),
  'contest.joined': z.looseObject({
    contestId: idSchema,
    userId: lenient(z.string().nullable()),
    side: lenient(z.string().nullable()),
    filled: lenient(z.number().int()),
    capacity: lenient(z.number().int()),
  }),
  'contest.live': z.looseObject({
    contestId: idSchema,
    mode: z.string(),
    chain: lenient(z.string()),
    status: lenient(z.string()),
    startsAt: instantSchema,
    endsAt: instantSchema,
  }),
  'contest.settled': z.looseObject({
    contestId: idSchema,
    mode: z.string(),
    result: resultSchema,
    stake: amountSchema,
    payout: lenient(amountSchema),
    profit: signedAmountSchema,
    versus: lenient(z.string()),
    rpDelta: lenient(z.number().nullable()),
    rpAfter: lenient(z.number().nullable()),
  }),
  'contest.cancelled': z.looseObject({
    contestId: idSchema,
    status: lenient(z.string()),
    reason: z.unknown().optional(),
    refunded: z.unknown().optional(),
  }),
} as const

/** The type of an event of the agent's stream, such as `contest.settled`. */
export type EventType = keyof typeof eventDataSchemas
export const EVENT_TYPES = Object.keys(eventDataSchemas) as EventType[]

/** The data of an event, by its type. Amounts are micro-USDC, instants Unix milliseconds; fields that the service adds are kept. */
export type EventData<T extends EventType> = z.output<(typeof eventDataSchemas)[T]>

/** One event of the agent's stream; `createdAt` in Unix milliseconds. */
export type ServiceEvent = {
  [T in EventType]: { readonly id: string; readonly type: T; readonly data: EventData<T>; readonly createdAt: number }
}[EventType]

/** What every event has, whatever its type: enough to journal it and to go on. */
export const eventEnvelopeSchema = z.looseObject({
  id: idSchema,
  type: z.string(),
  data: z.unknown().optional(),
  /** Its form is not shown; the id has the time too. */
  createdAt: z.unknown().optional(),
})

const isEventType = (type: string): type is EventType => Object.hasOwn(eventDataSchemas, type)

export type ReadEvent =
  | { readonly ok: true; readonly event: ServiceEvent }
  | { readonly ok: false; readonly reason: 'malformed' | 'unknown-type'; readonly message: string }

/** Reads one event of a page. An event that cannot be read is a value, not an exception: the stream goes on. */
export function readEvent(raw: unknown): ReadEvent {
  const envelope = eventEnvelopeSchema.safeParse(raw)
  if (!envelope.success) return { ok: false, reason: 'malformed', message: z.prettifyError(envelope.error) }
  const { id, type, createdAt } = envelope.data
  if (!isEventType(type)) return { ok: false, reason: 'unknown-type', message: `the specification has no event ${type}` }
  const instant = instantSchema.safeParse(createdAt)
  const at = instant.success ? instant.data : timeOfUuidv7(id)
  const data = eventDataSchemas[type].safeParse(envelope.data.data)
  if (!data.success) return { ok: false, reason: 'malformed', message: z.prettifyError(data.error) }
  if (at === undefined) return { ok: false, reason: 'malformed', message: 'createdAt is not an ISO timestamp, and the id has no time' }
  // The schema was chosen by `type`; the compiler cannot follow the pairing through the table.
  return { ok: true, event: { id, type, data: data.data, createdAt: at } as ServiceEvent }
}
