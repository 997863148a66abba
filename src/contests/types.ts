import type { Chain, Format, Lane, Mode, Opponents, Result } from '../contract/enums.ts'
import type { Price } from '../core/price.ts'
import type { Mint } from '../core/tokens.ts'
import type { Usdc } from '../core/usdc.ts'
import type { AgentEvent } from './events.ts'

/** A price the outside world gives: the engine never looks one up. */
export interface PriceFact {
  readonly mint: Mint
  /** Unix milliseconds the price is of. */
  readonly at: number
  /** `null`: the world has no price for that mint at that time. */
  readonly price: Price | null
}

/** Who is shown as what. A house agent plays by the same rules; only its caps are open. */
export type AgentKind = 'AGENT' | 'HUMAN'

export interface AgentCaps {
  readonly maxStake: Usdc
  readonly dailyLossCap: Usdc
}

/** A move of a contest's mode. Each mode reads the ones that are its own. */
export type Move =
  | { readonly type: 'draftPick'; readonly token: Mint }
  | { readonly type: 'commitPrediction'; readonly commitment: string }
  | { readonly type: 'revealPrediction'; readonly value: string; readonly salt: string }

export interface EnqueueCommand {
  readonly type: 'enqueue'
  readonly agentId: string
  readonly mode: Mode
  readonly stake: Usdc
  readonly durationSec: number
  readonly opponents: Opponents
  readonly chain: Chain
  readonly waitSec: number
  /** Meet this ticket and no other: how the house answers one. */
  readonly answering?: string
  /** What the contest of the match is known by and played with, and the seeker's own side in it. Default: seeded. */
  readonly match?: { readonly contestId: string; readonly params: Readonly<Record<string, unknown>>; readonly side: string | null }
}

export interface CreateContestCommand {
  readonly type: 'createContest'
  readonly agentId: string
  readonly mode: Mode
  readonly chain: Chain
  readonly format: Format
  readonly stake: Usdc
  readonly durationSec: number
  readonly opponents: Opponents
  /** In lists where it is `public`. */
  readonly visibility: string
  readonly capacity: number
  readonly teamSize: number | null
  readonly joinWindowSec: number
  readonly params: Readonly<Record<string, unknown>>
  /** An id that is known from elsewhere and not in use here. Default: a seeded one. */
  readonly contestId?: string
  /** The creator's own side, where the mode or teams have sides; null: `params.side`, else a seeded one. */
  readonly side: string | null
}

/** What a transaction did to a wallet's balance of one token. */
export interface BalanceChange {
  readonly mint: Mint
  /** Base units: negative for what was given, positive for what was received; never 0. */
  readonly delta: bigint
}

/**
 * An executed transaction of an agent, as what it did to the agent's balances. The DEX is the other
 * side of every change. Where it counts for a contest, the command's `prices` hold a fact of its own
 * time for every mint in it: see `commandAt`.
 */
export interface FillCommand {
  readonly type: 'fill'
  readonly agentId: string
  /** The contest the swap was sent for; null: none. Only a swap inside the contest's window counts for it. */
  readonly contestId: string | null
  readonly signature: string
  /** Each mint once, with something given and something received; empty for a transaction that failed and cost its fee. */
  readonly changes: readonly BalanceChange[]
  /** Lamports burnt, 0 or more. */
  readonly feeLamports: bigint
}

export type CommandBody =
  /** The passing of time alone: runs what has fallen due. */
  | { readonly type: 'advance' }
  | {
      readonly type: 'createAgent'
      readonly agentId: string
      readonly handle: string
      readonly kind: AgentKind
      readonly house: boolean
      readonly walletAddress: string
      readonly balance: Usdc
      readonly gasLamports: bigint
      readonly caps: AgentCaps | null
    }
  /** New USDC from outside: minted, and counted as such. */
  | { readonly type: 'deposit'; readonly agentId: string; readonly amount: Usdc }
  /** New tokens from outside, in base units: minted, and counted as such. USDC goes to the wallet as with `deposit`. */
  | { readonly type: 'depositToken'; readonly agentId: string; readonly mint: Mint; readonly amount: bigint }
  /** New lamports for fees. */
  | { readonly type: 'depositLamports'; readonly agentId: string; readonly amount: bigint }
  | FillCommand
  | { readonly type: 'setCaps'; readonly agentId: string; readonly caps: AgentCaps }
  | EnqueueCommand
  | { readonly type: 'cancelTicket'; readonly agentId: string; readonly ticketId: string }
  | CreateContestCommand
  | { readonly type: 'joinContest'; readonly agentId: string; readonly contestId: string; readonly side: string | null }
  | { readonly type: 'leaveContest'; readonly agentId: string; readonly contestId: string }
  | { readonly type: 'readyContest'; readonly agentId: string; readonly contestId: string; readonly ready: boolean }
  /** A score that is known from elsewhere: it counts for the agent's seat in place of what its moves come to. Decimal text. */
  | { readonly type: 'giveScore'; readonly agentId: string; readonly contestId: string; readonly score: string }
  | { readonly type: 'move'; readonly agentId: string; readonly contestId: string; readonly move: Move }

/**
 * Everything that changes the state. It carries the time and every outside fact it needs: the same
 * commands on the same first state give the same events to the byte.
 */
export type Command = CommandBody & { readonly now: number; readonly prices?: readonly PriceFact[] }

/** Why a command was refused. A refused command changes nothing. Codes as in `docs/sandbox.md`. */
export interface Refusal {
  readonly code: RefusalCode
  readonly message: string
  readonly details: Readonly<Record<string, string | number | null>>
}

export type RefusalCode =
  | 'NOT_FOUND'
  | 'INVALID_INPUT'
  | 'STAKE_OVER_CAP'
  | 'DAILY_LOSS_CAP'
  | 'INSUFFICIENT_BANKROLL'
  | 'INSUFFICIENT_BALANCE'
  | 'CONTEST_FULL'
  | 'CONTEST_NOT_OPEN'
  | 'ALREADY_JOINED'
  | 'NOT_IN_CONTEST'
  | 'SIDE_TAKEN'
  | 'TICKET_NOT_OPEN'
  | 'NOT_YOUR_TURN'
  | 'TOKEN_TAKEN'
  | 'TOKEN_NOT_ALLOWED'
  | 'COMMIT_CLOSED'
  | 'ALREADY_COMMITTED'
  | 'REVEAL_NOT_OPEN'
  | 'COMMITMENT_MISMATCH'
  | 'SALT_INVALID'
  | 'CHAIN_NOT_TRADABLE'

export interface Refused {
  readonly ok: false
  readonly refusal: Refusal
}

/** What a command came to: the ticket and the contest it was about. */
export type Outcome = { readonly ok: true; readonly ticketId?: string; readonly contestId?: string } | Refused

/** The outcome, with the events of the transitions that had fallen due and of the command, in order. */
export type Applied = Outcome & { readonly events: readonly AgentEvent[] }

export type TicketStatus = 'queued' | 'matched' | 'expired' | 'failed' | 'cancelled'

export interface Ticket {
  readonly ticketId: string
  /** Place in the order of creation, from 1. */
  readonly seq: number
  readonly agentId: string
  readonly mode: Mode
  readonly stake: Usdc
  readonly durationSec: number
  readonly opponents: Opponents
  readonly chain: Chain
  readonly createdAt: number
  readonly expiresAt: number
  /** Its expiry's place among what falls due at the same instant. */
  readonly dueOrder: number
  status: TicketStatus
  contestId: string | null
}

export type ContestStatus = 'open' | 'live' | 'settled' | 'cancelled'

export interface Entry {
  readonly entryId: string
  readonly agentId: string
  readonly side: string | null
  ready: boolean
  /** Decimal text of what the mode ranks by; null until it is known. */
  score: string | null
  /** A score given from outside; absent where the moves decide. */
  given?: string
  result: Result | null
  payout: Usdc
}

/** Why a contest was cancelled; the whole list. */
export type CancelReason =
  /** Too few seats, or too few sides, when the join window closed. */
  | 'not_filled'
  /** A seat was not readied when the join window closed. */
  | 'not_ready'
  /** The last agent seated left. */
  | 'left'
  /** The world has no price for a token of the contest at an instant that decides it. */
  | 'no_price'

/** What every mode's parameters can have; each mode adds its own. */
export interface ModeParams {
  /** Nobody is told who the others are until the end. */
  readonly hidden?: boolean
  /** Shares of the pot by place, as weights; without it the winner takes all. Lobbies only. */
  readonly payouts?: readonly number[]
}

export interface Contest {
  readonly contestId: string
  /** Place in the order of creation, from 1. */
  readonly seq: number
  readonly mode: Mode
  readonly chain: Chain
  readonly format: Format
  readonly stake: Usdc
  readonly durationSec: number
  readonly opponents: Opponents
  /** In lists where it is `public`. */
  readonly visibility: string
  readonly capacity: number
  readonly teamSize: number | null
  readonly params: ModeParams
  /** Whether the ladder counts it: a duel that the queue made. */
  readonly rated: boolean
  readonly createdAt: number
  /** When an open contest locks or is cancelled. */
  readonly joinBy: number
  readonly lane: Lane
  status: ContestStatus
  startsAt: number | null
  endsAt: number | null
  entries: Entry[]
  /** When it was settled or cancelled. */
  endedAt: number | null
  cancelReason: CancelReason | null
  /** When its next transition falls due; null once it has ended. */
  dueAt: number | null
  /** That transition's place among what falls due at the same instant. */
  dueOrder: number
  /** The mode's own state, plain data; null before the lock. */
  play: unknown
}
