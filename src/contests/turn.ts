import type { z } from 'zod'
import type { EventType, eventDataSchemas } from '../contract/events.ts'
import { broken } from '../core/error.ts'
import { uuidv7 } from '../core/ids.ts'
import { memoize } from '../core/memoize.ts'
import { isZeroPrice, type Price } from '../core/price.ts'
import type { Mint } from '../core/tokens.ts'
import type { AgentEvent } from './events.ts'
import type { ContestsState } from './state/state.ts'
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

/** An instant as ISO text. Kept, since what happens in an engine happens at few instants, and most of it more than once. */
export const isoOf: (ms: number) => string = memoize((ms) => new Date(ms).toISOString(), 1024)

export const isoOrNull = (ms: number | null): string | null => (ms === null ? null : isoOf(ms))
