import type { Opponents } from '../contract/enums.ts'
import { type Bucket, type ContestsIndex, membersOf } from './stateIndex.ts'
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
 * The oldest queued ticket the seeker can meet. Tickets wait in a bucket of each terms, there in a slot of
 * each own kind and opponents asked for, oldest first, so that only slots that fit are looked at, and of
 * each only its head past the seeker's own tickets.
 */
export function oldestMatch({ buckets }: ContestsIndex, seeker: Seeker): Ticket | undefined {
  const bucket = buckets.get(termsKey(seeker))
  if (bucket === undefined) return undefined
  let oldest: Ticket | undefined
  for (const kind of KINDS[seeker.opponents]) {
    for (const opponents of ['ANY', seeker.kind] as const) {
      for (const ticket of bucket.slots[slotOf(kind, opponents)] ?? []) {
        if (ticket.agentId === seeker.agentId) continue
        if (oldest === undefined || ticket.seq < oldest.seq) oldest = ticket
        break
      }
    }
  }
  return oldest
}

export function enterQueue(index: ContestsIndex, ticket: Ticket, kind: AgentKind): void {
  const key = termsKey(ticket)
  const bucket = index.buckets.get(key) ?? { slots: NO_SLOTS.slice(), waiting: 0 }
  if (bucket.waiting === 0) index.buckets.set(key, bucket)
  bucket.waiting += 1
  const slot = slotOf(kind, ticket.opponents)
  const tickets = bucket.slots[slot]
  if (tickets === undefined) bucket.slots[slot] = new Set([ticket])
  else tickets.add(ticket)
  index.queued.add(ticket)
  membersOf(index, ticket.agentId).tickets.add(ticket)
}

/** Takes a ticket out of the queue; one that never waited there is in none. */
export function leaveQueue(index: ContestsIndex, ticket: Ticket, kind: AgentKind): void {
  if (!index.queued.delete(ticket)) return
  const key = termsKey(ticket)
  const bucket = index.buckets.get(key)
  if (bucket?.slots[slotOf(kind, ticket.opponents)]?.delete(ticket) === true) {
    bucket.waiting -= 1
    if (bucket.waiting === 0) index.buckets.delete(key)
  }
  membersOf(index, ticket.agentId).tickets.delete(ticket)
}

const termsKey = ({ mode, stake, durationSec, chain }: Terms): string => `${mode} ${stake} ${durationSec} ${chain}`

const OPPONENTS: readonly Opponents[] = ['HUMAN', 'AGENT', 'ANY']
const NO_SLOTS: Bucket['slots'] = Array.from({ length: 2 * OPPONENTS.length })

const slotOf = (kind: AgentKind, opponents: Opponents): number => OPPONENTS.indexOf(opponents) + (kind === 'HUMAN' ? OPPONENTS.length : 0)

/** What the contest of two tickets is open to: the narrower wish, or both where they differ. */
export function opponentsOfMatch(a: Opponents, b: Opponents): Opponents {
  if (a === b || b === 'ANY') return a
  return a === 'ANY' ? b : 'ANY'
}
