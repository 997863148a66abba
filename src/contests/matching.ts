import type { Opponents } from '../contract/enums.ts'
import type { Agent } from './state.ts'
import { type Bucket, type ContestsIndex, membersOf } from './stateIndex.ts'
import type { Terms } from './terms.ts'
import type { AgentKind, Ticket } from './types.ts'

/** What decides whom a ticket can meet. */
export interface Seeker {
  readonly agentId: string
  readonly kind: AgentKind
  readonly opponents: Opponents
  /** Mode, stake, duration and chain as text, so that equal ones are one key. */
  readonly terms: string
}

export function seekerOf(terms: Terms & { readonly opponents: Opponents }, { agentId, kind }: Agent): Seeker {
  const { mode, stake, durationSec, chain, opponents } = terms
  return { agentId, kind, opponents, terms: `${mode} ${stake} ${durationSec} ${chain}` }
}

/** The kinds among the opponents asked for. */
const KINDS: Readonly<Record<Opponents, readonly AgentKind[]>> = { HUMAN: ['HUMAN'], AGENT: ['AGENT'], ANY: ['AGENT', 'HUMAN'] }
/** What who accepts a kind can have asked for. */
const WISHES: Readonly<Record<AgentKind, readonly Opponents[]>> = { AGENT: ['ANY', 'AGENT'], HUMAN: ['ANY', 'HUMAN'] }

/** Whether an agent of that kind is among the opponents asked for. */
export const accepts = (opponents: Opponents, kind: AgentKind): boolean => KINDS[opponents].includes(kind)

/** Whether two tickets can be seated together: the same terms, two agents, each as the other asks. */
export function canMeet(a: Seeker, b: Seeker): boolean {
  return a.terms === b.terms && a.agentId !== b.agentId && accepts(a.opponents, b.kind) && accepts(b.opponents, a.kind)
}

/**
 * The oldest queued ticket the seeker can meet. Tickets wait in a bucket of each terms, there in a slot of
 * each own kind and opponents asked for, oldest first, so that only slots that fit are looked at, and of
 * each only its head past the seeker's own tickets.
 */
export function oldestMatch({ buckets }: ContestsIndex, { agentId, kind, opponents, terms }: Seeker): Ticket | undefined {
  const bucket = buckets.get(terms)
  if (bucket === undefined) return undefined
  let oldest: Ticket | undefined
  for (const rivalKind of KINDS[opponents]) {
    for (const rivalOpponents of WISHES[kind]) {
      const head = headOf(bucket.slots[slotOf(rivalKind, rivalOpponents)], agentId)
      if (head !== undefined && (oldest === undefined || head.seq < oldest.seq)) oldest = head
    }
  }
  return oldest
}

/** The first ticket of a slot that is not the agent's own. */
function headOf(slot: Iterable<Ticket> | undefined, agentId: string): Ticket | undefined {
  if (slot === undefined) return undefined
  for (const ticket of slot) if (ticket.agentId !== agentId) return ticket
  return undefined
}

export function enterQueue(index: ContestsIndex, ticket: Ticket, { agentId, kind, opponents, terms }: Seeker): void {
  let bucket = index.buckets.get(terms)
  if (bucket === undefined) {
    bucket = { terms, slots: NO_SLOTS.slice(), waiting: 0 }
    index.buckets.set(terms, bucket)
  }
  bucket.waiting += 1
  const slot = slotOf(kind, opponents)
  bucket.slots[slot] ??= new Set()
  bucket.slots[slot].add(ticket)
  index.queued.set(ticket, bucket)
  membersOf(index, agentId).tickets.add(ticket)
}

/** Takes a ticket out of the queue; one that never waited there is in none. */
export function leaveQueue(index: ContestsIndex, ticket: Ticket, { kind }: Agent): void {
  const bucket = index.queued.get(ticket)
  if (bucket === undefined) return
  index.queued.delete(ticket)
  bucket.waiting -= 1
  if (bucket.waiting === 0) index.buckets.delete(bucket.terms)
  else bucket.slots[slotOf(kind, ticket.opponents)]?.delete(ticket)
  membersOf(index, ticket.agentId).tickets.delete(ticket)
}

const OPPONENTS: readonly Opponents[] = ['HUMAN', 'AGENT', 'ANY']
const NO_SLOTS: Bucket['slots'] = Array.from({ length: 2 * OPPONENTS.length })

const slotOf = (kind: AgentKind, opponents: Opponents): number => OPPONENTS.indexOf(opponents) + (kind === 'HUMAN' ? OPPONENTS.length : 0)

/** What the contest of two tickets is open to: the narrower wish, or both where they differ. */
export function opponentsOfMatch(a: Opponents, b: Opponents): Opponents {
  if (a === b || b === 'ANY') return a
  return a === 'ANY' ? b : 'ANY'
}
