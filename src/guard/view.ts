import type { Usdc } from '../core/usdc.ts'
import type { GuardConfig } from '../strategy/config.ts'
import type { LimitsView } from '../strategy/view.ts'
import type { Reservations } from './reservations.ts'

/** A service read with the time it was asked: what happened later is not in it. */
export interface Dated<T> {
  readonly value: T
  /** Unix milliseconds at which the request left. */
  readonly begunAt: number
}

export type RunMode = 'running' | 'draining'

/** What the guard knows of a contest others opened. */
export interface JoinableContest {
  readonly stake: Usdc
  readonly sidesTaken: readonly string[]
  /** Whether a seat in it needs a side. */
  readonly sided: boolean
}

/** What the guard knows of a seat of this bot. */
export interface OwnSeat {
  readonly mode: string
  readonly phase: 'open' | 'live' | 'settled' | 'cancelled'
  /** Tokens that can be drafted now; undefined when it is not this bot's turn. */
  readonly draftable: readonly string[] | undefined
  /** Whether a commitment would be taken now. */
  readonly commitOpen: boolean
  /** Whether a commitment of ours waits to be revealed. */
  readonly revealable: boolean
}

/** Everything a rule may look at: a snapshot as of one input. */
export interface GuardView {
  /** Unix milliseconds. */
  readonly now: number
  readonly config: GuardConfig
  readonly runMode: RunMode
  readonly caughtUp: boolean
  readonly limits: Dated<LimitsView> | undefined
  readonly available: Dated<Usdc> | undefined
  /** Net realised loss of the service's day by this bot's own books, never negative. */
  readonly lostToday: Usdc
  /** Stakes in tickets and seats by this bot's own books; undefined while the stake of a seat is not known. */
  readonly inPlay: Usdc | undefined
  readonly openContests: number
  readonly openTickets: number
  readonly reservations: Reservations
  joinable(contestId: string): JoinableContest | undefined
  seat(contestId: string): OwnSeat | undefined
  ticket(ticketId: string): boolean
  /** The name of a bot of the same config that is, or would be, on the other side of this action. */
  sibling(contest: { contestId: string } | { mode: string; stake: Usdc; durationSec: number }): string | undefined
}
