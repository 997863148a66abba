import type { Price } from '../core/price.ts'
import type { TokenFacts } from '../core/tokenFacts.ts'
import type { Mint } from '../core/tokens.ts'
import type { Usdc } from '../core/usdc.ts'
import type { GuardConfig } from '../strategy/guardConfig.ts'
import type { ContestPhase, LimitsView } from '../strategy/view.ts'
import type { Reservations } from './reservations.ts'

/** A service read with the time it was asked: what happened later is not in it. */
export interface Dated<T> {
  readonly value: T
  /** Unix milliseconds at which the request left. */
  readonly begunAt: number
}

export type RunMode = 'running' | 'draining'

/** What the operator has stopped: `entries`: no new ones; `all`: the kill switch. */
export type Stopped = 'nothing' | 'entries' | 'all'

/** A price of the feed with its age. */
export interface AgedPrice {
  readonly price: Price
  readonly ageMs: number
}

/** What the guard knows of a contest this bot has traded in, or may. */
export interface TradedContest {
  readonly mode: string
  readonly phase: ContestPhase
  /** The only token its swaps may be of, where the mode has one. */
  readonly token: Mint | undefined
  /** Base units the contest's own swaps have bought and not sold. */
  held(mint: Mint): bigint
  /** Swaps executed or under way. */
  readonly swaps: number
}

/** Results in a row that were lost, up to the newest. */
export interface LosingStreak {
  readonly losses: number
  /** Unix milliseconds of the newest loss. */
  readonly lastAt: number
}

/** Whether modes can be played. */
export interface Playable {
  /** Why the answers about a mode cannot be read; undefined: they can. */
  unreadable(mode: string): UnreadableMode | undefined
  /** Why nobody plays the mode; undefined: somebody does. */
  unplayedBy(mode: string): UnplayedBy | undefined
  /** Whether swaps come through; undefined of a world in which they always do. */
  readonly path: PathStanding | undefined
  /** The requests that swaps share with prices; undefined where no limit is known. */
  readonly swapBudget: SwapBudgetStanding | undefined
  /** Why the mode is closed; undefined: it is open, or this is its trial. */
  closed(mode: string): ModeClosure | undefined
  /** What is out of a mode that is on trial; undefined: nothing is, or it is not. */
  trialOut(mode: string): { readonly seats: number; readonly tickets: number } | undefined
}

export interface UnreadableMode {
  /** Nothing at all is known of the service, or not all of what the mode needs. */
  readonly code: 'SERVICE_UNPROBED' | 'MODE_UNREADABLE'
  /** Names of the pieces that are not known. */
  readonly pieces: readonly string[]
  /** In words; and what to do. */
  readonly why: string
  readonly remedy: string
}

/** No strategy, or one that is left alone: until then, in Unix milliseconds. */
export interface UnplayedBy {
  readonly strategy: string | undefined
  readonly untilMs: number | undefined
}

export interface PathStanding {
  readonly isUp: boolean
  readonly part: string | undefined
  readonly reason: string | undefined
  readonly failedInRow: number
  /** Milliseconds since the newest success; undefined: there was none. */
  readonly okAgoMs: number | undefined
}

/** Requests a minute: what the host of the DEX takes, and what stands against them. */
export interface SwapBudgetStanding {
  readonly perMinute: number
  /** Requests that were left of this minute, as told last; undefined: not told. */
  readonly free?: number | undefined
  /** Of prices at their least pace. */
  readonly prices: number
  /** Of looks at the way of a swap. */
  readonly looks: number
  /** Of others with the same key, in the last minute. */
  readonly others: number
  readonly requestsPerSwap: number
  /** Contests and tickets, of all bots of the process, that are or may be played by swaps; and the bot's own of the last minute. */
  readonly contests: number
}

export interface ModeClosure {
  readonly unplayed: number
  /** Micro-USDC. */
  readonly stakes: Usdc
  /** Unix milliseconds. */
  readonly closedAt: number
  readonly trialAt: number | undefined
  /** In words. */
  readonly why: string
}

/** What the guard knows of a contest others opened. */
export interface JoinableContest {
  readonly mode: string
  readonly chain: string | undefined
  readonly opponents: string | undefined
  readonly stake: Usdc
  readonly sidesTaken: readonly string[]
  /** Whether a seat in it needs a side. */
  readonly sided: boolean
  /** The token it is about, where that is said. */
  readonly token: Mint | undefined
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
  readonly stopped: Stopped
  /** The strategy that asks; `framework` for what is done of the framework's own accord. */
  readonly by: string
  /** Older figures of the service than this are not trusted with money. Milliseconds; they are read again long before. */
  readonly figuresHoldMs: number
  readonly limits: Dated<LimitsView> | undefined
  readonly available: Dated<Usdc> | undefined
  /** Net realised loss of the day by the ledger, with what the bankroll lacks and nothing explains; never negative. */
  readonly lostToday: Usdc
  /** Stakes in tickets and seats by the ledger and the books, whichever is larger; undefined while the stake of a seat is not known. */
  readonly inPlay: Usdc | undefined
  /** What today's swaps have lost, realised and marked together, never negative; undefined while a holding has no fresh price. */
  readonly swapLoss: Usdc | undefined
  /** A holding without a fresh price, which is why `swapLoss` is not known; undefined where each has one. */
  readonly unpriced: Mint | undefined
  /** Of today, by this bot's own books: lost and in play, of one mode or of what one strategy entered. */
  spentByMode(mode: string): Usdc
  spentByStrategy(strategy: string): Usdc
  readonly streak: LosingStreak
  /** The shortfall of the bankroll that nothing sent or told explains. */
  readonly unexplained: Usdc
  /** How far this machine's clock is ahead of the service's, while that is more than an hour; else 0. Milliseconds. */
  readonly clockGapMs: number
  /** USDC of the wallet missing on the chain, once chain and bankroll have agreed. */
  readonly missingOnChain: Usdc
  /** Smallest stake sent in the life of the journal; undefined before the first. */
  readonly smallestStake: Usdc | undefined
  /** Staked in the last 24 hours, net of payouts that the bankroll has shown. */
  readonly stakedInDay: Usdc
  /** The bankroll at the start of the day; undefined until it was read. */
  readonly dayStartBankroll: Usdc | undefined
  readonly entriesInMinute: number
  /** How far the profit of the journal's life lies under its peak. */
  readonly drawdown: Usdc
  readonly gasLamports: Dated<bigint> | undefined
  /** The address of the agent's wallet; undefined where the service does not say: no swap can be built for it. */
  readonly wallet: string | undefined
  /**
   * Contests, tickets and entries under way that are played by swaps and have none yet: each needs its first swap, or its stake is lost.
   *
   * @param contestId of a contest that is not counted
   */
  unswapped(contestId?: string): number
  /** Swaps sent in the last minute. */
  readonly swapsInMinute: number
  /** Milliseconds since the feed last gave a price; undefined when it never did. */
  readonly pricesAgeMs: number | undefined
  /** The newest price of the feed; undefined when there is none. */
  price(mint: Mint): AgedPrice | undefined
  /** What the bot was told of a token; undefined of most that are in the table: all that matters is in it. */
  token(mint: Mint): TokenFacts | undefined
  traded(contestId: string): TradedContest | undefined
  /** Seats, or entries of the ledger that have no end, whichever is more with `openTickets`. */
  readonly openContests: number
  readonly openTickets: number
  readonly reservations: Reservations
  /** Undefined in worlds in which every mode can be played. */
  readonly playable: Playable | undefined
  joinable(contestId: string): JoinableContest | undefined
  seat(contestId: string): OwnSeat | undefined
  ticket(ticketId: string): boolean
  /** The name of a bot of the same config that is, or would be, on the other side of this action. */
  sibling(contest: { contestId: string } | { mode: string; stake: Usdc; durationSec: number }): string | undefined
}
