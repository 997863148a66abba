import TinyQueue from 'tinyqueue'
import { broken } from '../core/error.ts'
import { type IdSeries, idSeries, keyedUuid } from '../core/ids.ts'
import { memoize } from '../core/memoize.ts'
import type { Contest, Ticket } from './types.ts'

/** Something that falls due. Stale ones stay in the queue until they surface: see `due.ts`. */
export type Due = { readonly at: number; readonly order: number } & (
  | { readonly type: 'ticket'; readonly ticket: Ticket }
  | { readonly type: 'contest'; readonly contest: Contest }
)

/** What an agent has in play. */
export interface Membership {
  readonly tickets: Set<Ticket>
  readonly contests: Set<Contest>
}

/** Queued tickets of the same terms. */
export interface Bucket {
  /** The terms as text. */
  readonly terms: string
  /** By own kind and opponents asked for (`matching.ts`), each in order of creation; made when first needed. */
  readonly slots: (Set<Ticket> | undefined)[]
  /** In all slots together. */
  waiting: number
}

/**
 * The ids of this world. An agent's tickets are numbered for themselves, and a duel of the queue is named after the ticket
 * that waited for it: everything drawn for a duel is drawn from its id, and so is a matter of that agent's own tickets
 * alone, whatever all others do.
 */
interface Ids {
  ticket(agentId: string, ofAgent: number): string
  duel(waitingTicketId: string): string
  /** Of contests that were created. */
  readonly contest: IdSeries
  readonly entry: IdSeries
}

/** Agents whose series of ticket ids is kept at hand. */
const MOST_SERIES = 4096

/** Derived from the state, never saved: makes every command cost the same however much is stored. */
export interface ContestsIndex {
  readonly ids: Ids
  readonly due: TinyQueue<Due>
  /** Queued tickets in order of creation, each with the bucket it waits in, and the buckets by their terms. */
  readonly queued: Map<Ticket, Bucket>
  readonly buckets: Map<string, Bucket>
  readonly open: Set<Contest>
  readonly live: Set<Contest>
  readonly members: Map<string, Membership>
}

export function emptyIndex(seed: number): ContestsIndex {
  return {
    ids: idsOf(seed),
    due: new TinyQueue<Due>([], (a, b) => a.at - b.at || a.order - b.order),
    queued: new Map(),
    buckets: new Map(),
    open: new Set(),
    live: new Set(),
    members: new Map(),
  }
}

function idsOf(seed: number): Ids {
  const ticketsOf = memoize((agentId: string) => idSeries(seed, 'ticket', agentId), MOST_SERIES)
  return {
    ticket: (agentId, ofAgent) => ticketsOf(agentId)(ofAgent),
    duel: (waitingTicketId) => keyedUuid(seed, 'duel', waitingTicketId),
    contest: idSeries(seed, 'contest'),
    entry: idSeries(seed, 'entry'),
  }
}

export function membersOf({ members }: ContestsIndex, agentId: string): Membership {
  const membership = members.get(agentId)
  if (membership === undefined) broken(`agent ${agentId} is not in the index`)
  return membership
}
