import type { z } from 'zod'
import type { EventType, eventDataSchemas } from '../contract/events.ts'
import { DAY_MS } from '../core/day.ts'
import { broken } from '../core/error.ts'
import { uuidv7 } from '../core/ids.ts'
import { isZeroPrice, type Price } from '../core/price.ts'
import type { Mint } from '../core/tokens.ts'
import type { AgentEvent } from './events.ts'
import type { ContestsState } from './state.ts'
import type { PriceFact } from './types.ts'

/** One `apply`: the state it changes, the facts it was given, the events it made so far. */
export interface Turn {
  readonly state: ContestsState
  readonly prices: readonly PriceFact[]
  readonly events: AgentEvent[]
}

/** What happened, as the wire has it. */
export type Happening = { [T in EventType]: { readonly type: T; readonly data: z.input<(typeof eventDataSchemas)[T]> } }[EventType]

/** Adds an event to an agent's stream, stamped with the time of the transition under way. */
export function emit({ state, events }: Turn, agentId: string, { type, data }: Happening): void {
  state.counters.event += 1
  const id = uuidv7(state.now, state.counters.event, String(state.seed))
  events.push({ id, agentId, type, data, createdAt: isoOf(state.now) })
}

/**
 * The price the command says a mint had; null when the world has none. A price of 0 is none: no
 * return can be computed from it.
 *
 * @throws CornermanError `INVARIANT` when the command carries no such fact, `PRICE_INVALID` for one that is not a price
 */
export function priceAt(turn: Turn, mint: Mint, at: number): Price | null {
  const fact = turn.prices.find((price) => price.at === at && price.mint === mint)
  if (fact === undefined)
    broken(`no price fact for ${mint} at ${isoOf(at)}: apply what dueCommand returns before anything later`, { mint, at })
  return fact.price === null || isZeroPrice(fact.price) ? null : fact.price
}

const TWO_DIGITS = Array.from({ length: 60 }, (_, value) => String(value).padStart(2, '0'))
let lastDay = { startMs: Number.NaN, iso: '' }
let last = { ms: Number.NaN, iso: '' }

/**
 * An instant as ISO text. Most events of a run are of the instant of the one before and nearly all of its
 * day, whose texts are kept: this is the engine's most frequent call, and several times as fast so.
 */
export function isoOf(ms: number): string {
  if (ms !== last.ms) last = { ms, iso: isoText(ms) }
  return last.iso
}

function isoText(ms: number): string {
  const startMs = Math.floor(ms / DAY_MS) * DAY_MS
  if (startMs !== lastDay.startMs) lastDay = { startMs, iso: new Date(startMs).toISOString().slice(0, -'00:00:00.000Z'.length) }
  const ofDay = ms - startMs
  const [hours, minutes, seconds] = [Math.floor(ofDay / 3_600_000), Math.floor(ofDay / 60_000) % 60, Math.floor(ofDay / 1000) % 60]
  const millis = String(ofDay % 1000).padStart(3, '0')
  return `${lastDay.iso}${TWO_DIGITS[hours]}:${TWO_DIGITS[minutes]}:${TWO_DIGITS[seconds]}.${millis}Z`
}

export const isoOrNull = (ms: number | null): string | null => (ms === null ? null : isoOf(ms))
