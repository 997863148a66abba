import type { z } from 'zod'
import type { EventType, eventDataSchemas } from '../contract/events.ts'
import { invariant } from '../core/error.ts'
import { uuidv7 } from '../core/ids.ts'
import { type Price, scalePrice } from '../core/price.ts'
import type { Mint } from '../core/tokens.ts'
import type { AgentEvent } from './events.ts'
import type { ContestsState } from './state.ts'
import type { PriceFact } from './types.ts'

/** One `apply`: the state it changes, the facts it was given, the events it made so far. */
export interface Turn {
  readonly state: ContestsState
  readonly prices: readonly PriceFact[]
  readonly events: AgentEvent[]
  /** The last time events were stamped with, as text: most events of a turn are of one instant. */
  stamp: { readonly ms: number; readonly iso: string } | null
}

export const beginTurn = (state: ContestsState, prices: readonly PriceFact[]): Turn => ({ state, prices, events: [], stamp: null })

type WireData<T extends EventType> = z.input<(typeof eventDataSchemas)[T]>

/** Adds an event to an agent's stream, stamped with the time of the transition under way. */
export function emit<T extends EventType>(turn: Turn, agentId: string, type: T, data: WireData<T>): void {
  const { state, events } = turn
  state.counters.event += 1
  const id = uuidv7(state.now, state.counters.event, String(state.seed))
  if (turn.stamp?.ms !== state.now) turn.stamp = { ms: state.now, iso: isoOf(state.now) }
  events.push({ id, agentId, type, data, createdAt: turn.stamp.iso })
}

/**
 * The price the command says a mint had; null when the world has none. A price of 0 is none: no
 * return can be computed from it.
 *
 * @throws CornermanError `INVARIANT` when the command carries no such fact, `PRICE_INVALID` for one that is not a price
 */
export function priceAt(turn: Turn, mint: Mint, at: number): Price | null {
  const fact = turn.prices.find((price) => price.at === at && price.mint === mint)
  invariant(fact !== undefined, `no price fact for ${mint} at ${isoOf(at)}: apply what dueCommand returns before anything later`, {
    mint,
    at,
  })
  return fact.price === null || scalePrice(fact.price) === 0n ? null : fact.price
}

export const isoOf = (ms: number): string => new Date(ms).toISOString()
