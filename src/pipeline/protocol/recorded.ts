import superjson from 'superjson'
import { readEvent } from '../../contract/events.ts'
import { plainJson } from '../../core/plainJson.ts'
import type { Mint } from '../../core/tokens.ts'
import type { RefusalCode } from '../../guard/index.ts'
import type { Input, InputBody } from './input.ts'
import { strategyOfKey } from './intentKey.ts'
import type { IntentOutcome } from './journalRecord.ts'
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
  // What came over the wire as JSON, now or in an earlier run, is JSON: superjson would look through all of it, and find that.
  if (input.type === 'event') return { type, body: withoutSecrets(type, body) }
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

/** Plain JSON: amounts are digit strings. */
export type Decision =
  | {
      readonly type: 'approved'
      readonly key: string
      readonly strategy: string
      readonly action: unknown
      readonly stake: string
      readonly risk: string
    }
  | {
      readonly type: 'refused'
      readonly strategy: string
      readonly action: unknown
      readonly code: RefusalCode
      readonly numbers: Readonly<Record<string, unknown>>
    }
  | { readonly type: 'commitment'; readonly contestId: string; readonly commitment: string }
  | { readonly type: 'sent'; readonly key: string; readonly procedure: string }
  | ({ readonly type: 'outcome' } & IntentOutcome)
  | {
      readonly type: 'fill'
      readonly key: string
      readonly from: Mint
      readonly to: Mint
      readonly given: string
      readonly received: string
    }

const NONE: readonly Decision[] = []

/** What a step decided, and what became of earlier decisions, in order. */
export function decisionsOf({ record, refused, orders }: Step): readonly Decision[] {
  if (record === undefined && orders.length === 0) return NONE
  const { intents = [], outcomes = [], fills = [], custody = [] } = record ?? {}
  const decisions: Decision[] = []
  for (const { key, action, stake, risk } of intents) {
    const strategy = strategyOfKey(key)
    decisions.push({ type: 'approved', key, strategy, action: plainJson(action), stake: stake.toString(), risk: risk.toString() })
  }
  for (const { strategy, action, refusal } of refused) {
    const numbers = plainJson(refusal.numbers) as Readonly<Record<string, unknown>>
    decisions.push({ type: 'refused', strategy, action: plainJson(action), code: refusal.code, numbers })
  }
  for (const { contestId, commitment, status } of custody)
    if (status === 'made') decisions.push({ type: 'commitment', contestId, commitment })
  for (const { key, request } of orders) decisions.push({ type: 'sent', key, procedure: request.procedure })
  for (const outcome of outcomes) decisions.push({ type: 'outcome', ...outcome })
  for (const { key, from, to, given, received } of fills)
    decisions.push({ type: 'fill', key, from, to, given: given.toString(), received: received.toString() })
  return decisions
}
