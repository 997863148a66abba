import { fundedFirst, type HouseMember } from '../../contests/house/index.ts'
import type { Applied, CommandBody, Ticket } from '../../contests/index.ts'
import { keyedRandom } from '../../core/random.ts'
import type { Opportunity, RecordedSeat } from '../log/opportunity.ts'
import { Ghosts, type GhostWorld, isFinal } from './ghosts.ts'

/** How long a listed contest can be joined where the log does not say, and at least. */
const LISTED_MS = 60_000
const LEAST_LISTED_MS = 5000
/** How long an opponent that a log offers without a time of its own waits in the queue. */
const WAITS_MS = 60_000
/** From the opponent's coming to the match. */
const MEETING_MS = 1000
/** Who lists a contest of which the log shows no seat. */
const UNSEEN: RecordedSeat = { kind: 'AGENT', side: null, score: undefined, picks: [], pickMs: [], predicted: undefined }

export interface MatchmakerOptions extends GhostWorld {
  readonly members: ReadonlyMap<string, HouseMember>
  readonly opportunities: readonly Opportunity[]
}

/** A contest of the log that was entered again. */
export interface Replayed {
  readonly opportunity: Opportunity
  /** What is recorded of each other seat, by agent; empty where the house plays in their place. */
  readonly seats: ReadonlyMap<string, RecordedSeat>
}

/** Makes the contests of a log happen again: tickets meet the opponents they met, and listed contests are listed. */
export class Matchmaker {
  readonly #options: MatchmakerOptions
  /** Of the queue, by the terms a ticket must have, in the order of their times. */
  readonly #queued = new Map<string, Opportunity[]>()
  /** Tickets that wait for an opponent of the log. */
  readonly #meetings = new Map<Ticket, Opportunity>()
  readonly #replayed = new Map<string, Replayed>()
  readonly #ghosts = new Map<string, Ghosts>()
  readonly #waitsMs: number[] = []

  constructor(options: MatchmakerOptions) {
    this.#options = options
    const { opportunities } = options
    for (const opportunity of opportunities) {
      if (opportunity.via === 'list') {
        this.#announce(opportunity)
        continue
      }
      this.#offer(opportunity)
    }
  }

  /** The contests of the log that happen again, by id. */
  get replayed(): ReadonlyMap<string, Replayed> {
    return this.#replayed
  }

  /** How long each ticket waited that met an opponent of the log, milliseconds. */
  get waitsMs(): readonly number[] {
    return this.#waitsMs
  }

  /** Whether opponents of the log play the contest, and the house keeps out of it. */
  holds(contestId: string): boolean {
    return this.#ghosts.has(contestId)
  }

  /** @returns whether the log has an opponent for a ticket, who comes in time: otherwise the house may answer it */
  onTicket(ticket: Ticket): boolean {
    this.#freeOpponents()
    const waiting = this.#queued.get(termsOf(ticket)) ?? []
    for (const [index, opportunity] of waiting.entries()) {
      const meetsAt = meetingOf(opportunity, ticket)
      const isWanted = ticket.opponents === 'ANY' || opportunity.others[0]?.kind === ticket.opponents
      if (meetsAt === undefined || !isWanted) continue
      waiting.splice(index, 1)
      this.#meetings.set(ticket, opportunity)
      this.#options.clock.at(meetsAt, () => this.#answer(opportunity, ticket))
      return true
    }
    return false
  }

  /** Something happened in a contest. */
  look(contestId: string): void {
    this.#ghosts.get(contestId)?.look()
  }

  /** Whom a ticket that was taken back would have met can meet another one. */
  #freeOpponents(): void {
    for (const [ticket, opportunity] of this.#meetings) {
      if (ticket.status === 'queued') continue
      this.#meetings.delete(ticket)
      this.#offer(opportunity)
    }
  }

  #offer(opportunity: Opportunity): void {
    const key = termsOf(opportunity)
    const same = this.#queued.get(key)
    if (same === undefined) this.#queued.set(key, [opportunity])
    else same.push(opportunity)
  }

  /** Lists a contest from when it opens on; one that was open before the time that is played, at once. */
  #announce(opportunity: Opportunity): void {
    const { clock } = this.#options
    const { openAt, joinBy, lockedAt } = opportunity
    const closesAt = lockedAt ?? joinBy ?? openAt + LISTED_MS
    if (closesAt > clock.now()) clock.at(Math.max(openAt, clock.now()), () => this.#list(opportunity))
  }

  #answer(opportunity: Opportunity, ticket: Ticket): void {
    if (!this.#meetings.delete(ticket) || ticket.status !== 'queued') return
    const { contestId, params, others, side } = opportunity
    const [other] = others
    const agentId = this.#cast(contestId, other?.kind, [])
    if (agentId === undefined) return
    const { mode, stake, durationSec, chain, ticketId } = ticket
    const own = side === null ? null : (other?.side ?? null)
    const seats = new Map(other === undefined ? [] : [[agentId, other]])
    this.#begin(opportunity, seats)
    const terms = { agentId, mode, stake, durationSec, chain, opponents: 'ANY', waitSec: 1, answering: ticketId } as const
    const isSeated = (asked: Readonly<Record<string, unknown>>) =>
      this.#run({ type: 'enqueue', ...terms, match: { contestId, params: asked, side: own } }, stake).ok
    // A service's own parameters may be none that are known here: then they are drawn.
    if (isSeated(params) || isSeated({})) this.#waitsMs.push(this.#options.clock.now() - ticket.createdAt)
    this.look(contestId)
  }

  #list(opportunity: Opportunity): void {
    const { contestId, mode, chain, format, stake, durationSec, capacity, params, others, openAt, joinBy, lockedAt } = opportunity
    const seats = new Map<string, RecordedSeat>()
    for (const other of others.length === 0 ? [UNSEEN] : others.slice(0, Math.max(1, capacity - 1))) {
      const agentId = this.#cast(contestId, other.kind, [...seats.keys()])
      if (agentId !== undefined) seats.set(agentId, other)
    }
    const [creator, ...joiners] = seats
    if (creator === undefined) return
    this.#begin(opportunity, seats)
    const [agentId, { side }] = creator
    const { clock } = this.#options
    const closesAt = Math.max(joinBy ?? openAt + LISTED_MS, lockedAt === null ? 0 : lockedAt + LEAST_LISTED_MS)
    const joinWindowSec = Math.ceil(Math.max(closesAt - clock.now(), LEAST_LISTED_MS) / 1000)
    const form = { mode, chain, format, stake, durationSec, capacity, joinWindowSec, opponents: 'ANY', visibility: 'public' } as const
    const isListed = (asked: Readonly<Record<string, unknown>>) =>
      this.#run({ type: 'createContest', agentId, ...form, teamSize: null, params: asked, side, contestId }, stake).ok
    if (!isListed(params) && !isListed({})) return
    for (const [joiner, seat] of joiners) this.#run({ type: 'joinContest', agentId: joiner, contestId, side: seat.side }, stake)
    // It locked when the last seat was ready: the others see to it that it does not lock sooner.
    clock.at(Math.max(lockedAt ?? openAt, clock.now()), () => {
      for (const seated of seats.keys()) this.#run({ type: 'readyContest', agentId: seated, contestId, ready: true }, 0n)
      this.look(contestId)
    })
  }

  #begin(opportunity: Opportunity, seats: ReadonlyMap<string, RecordedSeat>): void {
    const { contestId } = opportunity
    const isKnown = seats.size > 0 && [...seats.values()].every(({ score }) => score !== undefined) && isFinal(opportunity)
    this.#replayed.set(contestId, { opportunity, seats: isKnown ? seats : new Map() })
    if (isKnown) this.#ghosts.set(contestId, new Ghosts(this.#options, opportunity, seats))
  }

  /** Who of the house sits for an opponent of the log. */
  #cast(contestId: string, kind: RecordedSeat['kind'] | undefined, taken: readonly string[]): string | undefined {
    const { members, seed } = this.#options
    const fit = [...members].flatMap(([agentId, member]) =>
      member.kind === (kind ?? 'AGENT') && !taken.includes(agentId) ? [agentId] : [],
    )
    return keyedRandom(seed, 'cast', contestId, taken.length).pick(fit)
  }

  #run(body: CommandBody & { readonly agentId: string }, stake: bigint): Applied {
    const { state, run } = this.#options
    const first = fundedFirst(state(), body, stake)
    if (first !== body) run(first)
    return run(body)
  }
}

const termsOf = ({ mode, stake, durationSec, chain }: Pick<Ticket, 'mode' | 'stake' | 'durationSec' | 'chain'>): string =>
  `${mode} ${stake} ${durationSec} ${chain}`

/** When a ticket meets the opponent of the log; undefined where it does not. */
function meetingOf({ lockedAt, openAt }: Opportunity, { createdAt, expiresAt }: Ticket): number | undefined {
  if (lockedAt !== null) return createdAt <= lockedAt && lockedAt < expiresAt ? lockedAt : undefined
  const meetsAt = Math.max(createdAt, openAt) + MEETING_MS
  return createdAt <= openAt + WAITS_MS && meetsAt < expiresAt ? meetsAt : undefined
}
