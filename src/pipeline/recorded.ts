import superjson from 'superjson'
import { readEvent } from '../contract/events.ts'
import { plainJson } from '../core/plainJson.ts'
import type { Input, InputBody } from './input.ts'
import { strategyOfKey } from './intentKey.ts'
import type { Step } from './step.ts'

// An input and what it led to, as a recording holds them: plain JSON, and nothing secret.

/** An input apart from its place; `meta` says which texts of `body` are integers, dates and the like. */
export interface RecordedBody {
  readonly type: string
  readonly body: unknown
  readonly meta?: unknown
}

/** Prices are recorded apart: a recording has columns for them. */
export type RecordableInput = Exclude<Input, { type: 'prices' }>

export function recordedBody(input: RecordableInput): RecordedBody {
  const { n: _n, at: _at, type, ...body } = input
  const { json, meta } = serialized(withoutSecrets(type, body))
  return { type, body: json, ...(meta === undefined ? {} : { meta }) }
}

/** What a service answers is none of ours: a field that superjson will not write must not stop a bot, and is written plain. */
function serialized(body: object): { readonly json: unknown; readonly meta?: unknown } {
  try {
    return superjson.serialize(body)
  } catch {
    return { json: plainJson(body) }
  }
}

/**
 * The way back.
 *
 * @param recorded of a type that `recordedBody` has written
 */
export function inputOf({ type, body, meta }: RecordedBody, { n, at }: { readonly n: number; readonly at: number }): Input {
  const read = superjson.deserialize<Record<string, unknown>>({
    json: body as never,
    ...(meta === undefined ? {} : { meta: meta as never }),
  })
  const whole = type === 'event' ? { ...read, read: readEvent(read.raw), cursor: read.cursor } : read
  return { ...(whole as unknown as InputBody), type, n, at } as Input
}

/** A salt is in no recording, nor what follows from the raw event anyway. */
function withoutSecrets(type: Input['type'], body: object): object {
  if (type === 'started' && 'custody' in body) {
    const custody = body.custody as Extract<Input, { type: 'started' }>['custody']
    return { ...body, custody: custody.map((held) => ({ ...held, salt: '' })) }
  }
  if (type === 'event' && 'read' in body) {
    const { read: _, ...rest } = body
    return rest
  }
  return body
}

/** What a step decided, and what became of earlier decisions, in order. Amounts are digit strings. */
export function decisionsOf({ record, refused, orders }: Step) {
  if (record === undefined && orders.length === 0) return []
  const { intents = [], outcomes = [], fills = [], custody = [] } = record ?? {}
  return [
    ...intents.map(({ key, action, stake, risk }) => ({
      ...({ type: 'approved', key, strategy: strategyOfKey(key), action: plainJson(action) } as const),
      stake: stake.toString(),
      risk: risk.toString(),
    })),
    ...refused.map(({ strategy, action, refusal: { code, numbers } }) => ({
      ...({ type: 'refused', strategy, action: plainJson(action), code } as const),
      numbers: plainJson(numbers) as Readonly<Record<string, unknown>>,
    })),
    ...custody
      .filter(({ status }) => status === 'made')
      .map(({ contestId, commitment }) => ({ type: 'commitment', contestId, commitment }) as const),
    ...orders.map(({ key, request: { procedure } }) => ({ type: 'sent', key, procedure }) as const),
    ...outcomes.map((outcome) => ({ type: 'outcome', ...outcome }) as const),
    ...fills.map(({ key, from, to, given, received }) => ({
      ...({ type: 'fill', key, from, to } as const),
      given: given.toString(),
      received: received.toString(),
    })),
  ]
}
