import type { CommandBody, Venue } from '../index.ts'
import type { HouseMember } from './roster.ts'
import type { PriceSource } from './skills.ts'

/** What the house does next about one ticket, seat or opening. */
export interface Act {
  readonly atMs: number
  /** Decided only when the time has come, so that nothing later is known; `null`: there is nothing to do, or only to look again. */
  readonly decide: () => CommandBody | null
}

/** What every plan of the house depends on, beside the state. */
export interface HouseContext {
  readonly seed: number
  /** The longest a ticket waits for its opponent. */
  readonly matchDelayMs: number
  readonly prices: PriceSource
  /** Where its agents swap. */
  readonly venue: Venue
  /** The house's agents by id. */
  readonly members: ReadonlyMap<string, HouseMember>
}
