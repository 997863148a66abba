import TinyQueue from 'tinyqueue'
import { invariant } from '../core/error.ts'
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

/** Derived from the state, never saved: makes every command cost the same however much is stored. */
export interface ContestsIndex {
  readonly due: TinyQueue<Due>
  /** Queued tickets in order of creation, and the same by what they can meet (`matching.ts`). */
  readonly queued: Set<Ticket>
  readonly buckets: Map<string, Set<Ticket>>
  readonly open: Set<Contest>
  readonly live: Set<Contest>
  readonly members: Map<string, Membership>
}

export function emptyIndex(): ContestsIndex {
  return {
    due: new TinyQueue<Due>([], (a, b) => a.at - b.at || a.order - b.order),
    queued: new Set(),
    buckets: new Map(),
    open: new Set(),
    live: new Set(),
    members: new Map(),
  }
}

export function membersOf({ members }: ContestsIndex, agentId: string): Membership {
  const membership = members.get(agentId)
  invariant(membership !== undefined, `agent ${agentId} is not in the index`)
  return membership
}
