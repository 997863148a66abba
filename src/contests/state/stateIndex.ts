import TinyQueue from 'tinyqueue'
import type { Mode } from '../../contract/enums.ts'
import { broken } from '../../core/error.ts'
import { type IdSeries, idSeries, keyedUuid } from '../../core/ids.ts'
import type { Usdc } from '../../core/usdc.ts'
import type { Contest, Refusal, Ticket } from '../types.ts'

/** Something that falls due. Stale ones stay in the queue until they surface: see `due.ts`. */
export type Due = { readonly at: number; readonly order: number } & (
  | { readonly type: 'ticket'; readonly ticket: Ticket }
  | { readonly type: 'contest'; readonly contest: Contest }
)

/** What an agent has in play, and the ids of its tickets, which are numbered for themselves. */
export interface Membership {
  readonly ticketId: IdSeries
  readonly tickets: Ticket[]
  readonly contests: Contest[]
}

/** Queued tickets of the same terms. */
export interface Bucket {
  /** All buckets of its mode, duration and chain, by their stakes. */
  readonly ofForm: Map<Usdc, Bucket>
  /** By own kind and opponents asked for (`matching.ts`), each in order of creation; made when first needed. */
  readonly slots: (Set<Ticket> | undefined)[]
  /** In all slots together. */
  waiting: number
}

/**
 * The ids of this world. A duel of the queue is named after the ticket that waited for it: everything drawn for a duel is
 * drawn from its id, and so is a matter of that agent's own tickets alone, whatever all others do.
 */
interface Ids {
  readonly duel: (waitingTicketId: string) => string
  /** Of contests that were created. */
  readonly contest: IdSeries
  readonly entry: IdSeries
}

/** Derived from the state, never saved: makes every command cost the same however much is stored. */
export interface ContestsIndex {
  readonly ids: Ids
  readonly due: TinyQueue<Due>
  /** Queued tickets in order of creation, each with the bucket it waits in, and the buckets by their form (`matching.ts`) and stake. */
  readonly queued: Map<Ticket, Bucket>
  readonly buckets: Map<number, Map<Usdc, Bucket>>
  readonly open: Set<Contest>
  readonly live: Set<Contest>
  /** By the agents' order of creation. */
  readonly members: Membership[]
  /** Why no duel of a mode can be made of two tickets, null where one can: found out once, since the tokens stay the same. */
  readonly ticketProblems: Map<Mode, Refusal | null>
}

export function emptyIndex(seed: number): ContestsIndex {
  return {
    ids: { duel: (ticketId) => keyedUuid(seed, 'duel', ticketId), contest: idSeries(seed, 'contest'), entry: idSeries(seed, 'entry') },
    due: new TinyQueue<Due>([], (a, b) => a.at - b.at || a.order - b.order),
    queued: new Map(),
    buckets: new Map(),
    open: new Set(),
    live: new Set(),
    members: [],
    ticketProblems: new Map(),
  }
}

/** Takes in the agent created last. */
export function addMember({ members }: ContestsIndex, seed: number, agentId: string): void {
  members.push({ ticketId: idSeries(seed, 'ticket', agentId), tickets: [], contests: [] })
}

/** Takes what is there out of a list, whose order stays. An agent has few in play: a set costs more than the search. */
export function takeOut<T>(list: T[], item: T): void {
  const at = list.indexOf(item)
  if (at >= 0 && at === list.length - 1) list.pop()
  else if (at >= 0) list.splice(at, 1)
}

/** @param seq the agent's place in the order of creation, from 1 */
export function membersOf({ members }: ContestsIndex, { agentId, seq }: { readonly agentId: string; readonly seq: number }): Membership {
  const membership = members[seq - 1]
  if (membership === undefined) broken(`agent ${agentId} is not in the index`)
  return membership
}
