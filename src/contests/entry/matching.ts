import { chainSchema, MODES, type Opponents } from '../../contract/enums.ts'
import type { Usdc } from '../../core/usdc.ts'
import type { Agent } from '../state/state.ts'
import { type Bucket, type ContestsIndex, membersOf, takeOut } from '../state/stateIndex.ts'
import type { AgentKind, Ticket } from '../types.ts'
import type { Terms } from './terms.ts'

const CHAINS = chainSchema.options

/** Stakes of a form whose buckets are kept empty: most tickets are of terms that others had before. */
const STAKES_KEPT = 16

/** What decides whom a ticket can meet. */
export interface Seeker {
  readonly agentId: string
  readonly kind: AgentKind
  readonly opponents: Opponents
  readonly stake: Usdc
  /** Mode, duration and chain as one number, so that equal ones are one key. */
  readonly form: number
}

export function seekerOf(terms: Terms & { readonly opponents: Opponents }, { agentId, kind }: Agent): Seeker {
  const { mode, stake, durationSec, chain, opponents } = terms
  const form = (durationSec * CHAINS.length + CHAINS.indexOf(chain)) * MODES.length + MODES.indexOf(mode)
  return { agentId, kind, opponents, stake, form }
}

/** The kinds among the opponents asked for. */
const KINDS: Readonly<Record<Opponents, readonly AgentKind[]>> = { HUMAN: ['HUMAN'], AGENT: ['AGENT'], ANY: ['AGENT', 'HUMAN'] }
/** What who accepts a kind can have asked for. */
const WISHES: Readonly<Record<AgentKind, readonly Opponents[]>> = { AGENT: ['ANY', 'AGENT'], HUMAN: ['ANY', 'HUMAN'] }

/** Whether an agent of that kind is among the opponents asked for. */
export const accepts = (opponents: Opponents, kind: AgentKind): boolean => KINDS[opponents].includes(kind)

/** Whether two tickets can be seated together: the same terms, two agents, each as the other asks. */
export function canMeet(a: Seeker, b: Seeker): boolean {
  const areOfLikeTerms = a.form === b.form && a.stake === b.stake
  return areOfLikeTerms && a.agentId !== b.agentId && accepts(a.opponents, b.kind) && accepts(b.opponents, a.kind)
}

/**
 * The oldest queued ticket the seeker can meet. Tickets wait in a bucket of each terms, there in a slot of
 * each own kind and opponents asked for, oldest first, so that only slots that fit are looked at, and of
 * each only its head past the seeker's own tickets.
 */
export function oldestMatch({ buckets }: ContestsIndex, { agentId, kind, opponents, form, stake }: Seeker): Ticket | undefined {
  const bucket = buckets.get(form)?.get(stake)
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

export function enterQueue(index: ContestsIndex, ticket: Ticket, agent: Agent, { form, stake }: Seeker): void {
  let ofForm = index.buckets.get(form)
  if (ofForm === undefined) {
    ofForm = new Map()
    index.buckets.set(form, ofForm)
  }
  let bucket = ofForm.get(stake)
  if (bucket === undefined) {
    bucket = { ofForm, slots: NO_SLOTS.slice(), waiting: 0 }
    ofForm.set(stake, bucket)
  }
  bucket.waiting += 1
  const slot = slotOf(agent.kind, ticket.opponents)
  bucket.slots[slot] ??= new Set()
  bucket.slots[slot].add(ticket)
  index.queued.set(ticket, bucket)
  membersOf(index, agent).tickets.push(ticket)
}

/** Takes a ticket out of the queue; one that never waited there is in none. */
export function leaveQueue(index: ContestsIndex, ticket: Ticket, agent: Agent): void {
  const bucket = index.queued.get(ticket)
  if (bucket === undefined) return
  index.queued.delete(ticket)
  bucket.waiting -= 1
  bucket.slots[slotOf(agent.kind, ticket.opponents)]?.delete(ticket)
  if (bucket.waiting === 0 && bucket.ofForm.size > STAKES_KEPT) bucket.ofForm.delete(ticket.stake)
  takeOut(membersOf(index, agent).tickets, ticket)
}

const OPPONENTS: readonly Opponents[] = ['HUMAN', 'AGENT', 'ANY']
const NO_SLOTS: Bucket['slots'] = Array.from({ length: 2 * OPPONENTS.length })

const slotOf = (kind: AgentKind, opponents: Opponents): number => OPPONENTS.indexOf(opponents) + (kind === 'HUMAN' ? OPPONENTS.length : 0)

/** What the contest of two tickets is open to: the narrower wish, or both where they differ. */
export function opponentsOfMatch(a: Opponents, b: Opponents): Opponents {
  if (a === b || b === 'ANY') return a
  return a === 'ANY' ? b : 'ANY'
}
