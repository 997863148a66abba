import type { Opponents } from '../contract/enums.ts'
import { type ContestsIndex, membersOf } from './stateIndex.ts'
import type { Terms } from './terms.ts'
import type { AgentKind, Ticket } from './types.ts'

/** What decides whom a ticket can meet. */
export type Seeker = Pick<Ticket, 'agentId' | 'mode' | 'stake' | 'durationSec' | 'chain' | 'opponents'> & { readonly kind: AgentKind }

const KINDS: Readonly<Record<Opponents, readonly AgentKind[]>> = { HUMAN: ['HUMAN'], AGENT: ['AGENT'], ANY: ['AGENT', 'HUMAN'] }

/** Whether an agent of that kind is among the opponents asked for. */
export const accepts = (opponents: Opponents, kind: AgentKind): boolean => KINDS[opponents].includes(kind)

/** Whether two tickets can be seated together: the same terms, two agents, each as the other asks. */
export function canMeet(a: Seeker, b: Seeker): boolean {
  const sameTerms = a.mode === b.mode && a.stake === b.stake && a.durationSec === b.durationSec && a.chain === b.chain
  return sameTerms && a.agentId !== b.agentId && accepts(a.opponents, b.kind) && accepts(b.opponents, a.kind)
}

/**
 * The oldest queued ticket the seeker can meet. Tickets wait in a bucket of each terms, own kind and
 * opponents asked for, oldest first, so that only buckets that fit are looked at, and of each only
 * its head past the seeker's own tickets.
 */
export function oldestMatch({ buckets }: ContestsIndex, seeker: Seeker): Ticket | undefined {
  let oldest: Ticket | undefined
  for (const kind of KINDS[seeker.opponents]) {
    for (const opponents of ['ANY', seeker.kind] as const) {
      for (const ticket of buckets.get(bucketKey(seeker, kind, opponents)) ?? []) {
        if (ticket.agentId === seeker.agentId) continue
        if (oldest === undefined || ticket.seq < oldest.seq) oldest = ticket
        break
      }
    }
  }
  return oldest
}

export function enterQueue(index: ContestsIndex, ticket: Ticket, kind: AgentKind): void {
  const key = bucketKey(ticket, kind, ticket.opponents)
  const bucket = index.buckets.get(key)
  if (bucket === undefined) index.buckets.set(key, new Set([ticket]))
  else bucket.add(ticket)
  index.queued.add(ticket)
  membersOf(index, ticket.agentId).tickets.add(ticket)
}

export function leaveQueue(index: ContestsIndex, ticket: Ticket, kind: AgentKind): void {
  const key = bucketKey(ticket, kind, ticket.opponents)
  const bucket = index.buckets.get(key)
  bucket?.delete(ticket)
  if (bucket?.size === 0) index.buckets.delete(key)
  index.queued.delete(ticket)
  membersOf(index, ticket.agentId).tickets.delete(ticket)
}

function bucketKey({ mode, stake, durationSec, chain }: Terms, kind: AgentKind, opponents: Opponents): string {
  return `${mode} ${stake} ${durationSec} ${chain} ${kind} ${opponents}`
}

/** What the contest of two tickets is open to: the narrower wish, or both where they differ. */
export function opponentsOfMatch(a: Opponents, b: Opponents): Opponents {
  if (a === b || b === 'ANY') return a
  return a === 'ANY' ? b : 'ANY'
}
