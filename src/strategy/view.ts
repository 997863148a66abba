import type { Observable } from 'rxjs'
import type { Result } from '../contract/enums.ts'
import type { Mint } from '../core/tokens.ts'
import type { Usdc } from '../core/usdc.ts'

// What a strategy is shown: snapshots as of the input it is called on, never written to.

export interface PricePoint {
  /** Unix milliseconds at which the price was known here. */
  readonly at: number
  readonly price: number
}

export interface Candle {
  /** Unix milliseconds at which the candle opens. */
  readonly at: number
  readonly open: number
  readonly high: number
  readonly low: number
  readonly close: number
}

/**
 * Prices in USD as this bot knows them. What is not known yet is `undefined`, never 0. Of each mint the newest 4,096 to 8,192 points are
 * kept, over an hour at one a second: what is older is forgotten.
 */
export interface Prices {
  now(mint: Mint): number | undefined
  /** Milliseconds since the newest price was known; undefined when there is none. An old price is no price to trade on. */
  age(mint: Mint): number | undefined
  /** The price as the feed wrote it: for anything that must be exact, such as a prediction. */
  text(mint: Mint): string | undefined
  /** Relative change over the last `seconds` (0.01 is 1 % up); undefined when the history is shorter, or what lies so far back is forgotten. */
  change(mint: Mint, seconds: number): number | undefined
  /** Points of the last `seconds`, oldest first: fewer where the older ones are forgotten. */
  history(mint: Mint, seconds: number): readonly PricePoint[]
  /** Every price from now on; the newest wins when the bot is busy. */
  price$(mint: Mint): Observable<PricePoint>
  /** Closed candles from now on. */
  candles$(mint: Mint, seconds: number): Observable<Candle>
}

/** Base units of one token. */
export interface Holding {
  readonly mint: Mint
  readonly amount: bigint
}

/** What a contest's executed swaps have made. Figures are folded from balance changes on the chain. */
export interface Positions {
  /** Tokens bought for the contest and still held, USDC apart. */
  readonly holdings: readonly Holding[]
  /** USDC received less USDC given, in micro-USDC. */
  readonly cash: Usdc
  /** `cash` with the holdings at the newest prices, in micro-USDC; undefined while one has no price. */
  readonly pnl: Usdc | undefined
  /** Swaps executed. */
  readonly fills: number
}

/** One executed swap, in base units as they changed hands. */
export interface Fill {
  /** The intent's key. */
  readonly key: string
  readonly contestId: string
  /** Undefined where the service never told. */
  readonly signature: string | undefined
  /** Unix milliseconds at which it was known here. */
  readonly at: number
  readonly from: Mint
  readonly to: Mint
  readonly given: bigint
  readonly received: bigint
  /** Network fee and rent, in lamports. */
  readonly feeLamports: bigint
  /**
   * `chain`: executed balance changes. `quote`: it was executed and nobody says what exactly it came to, so that `received` is the least the
   * quote let through and `feeLamports` 0. Either the service has confirmed it and no RPC is configured; or the service has confirmed it and the
   * chain has not shown it for 30 s; or neither said so and the wallet's balances show it, once it could no longer land.
   */
  readonly source: 'chain' | 'quote'
}

/** What became of a swap a trader asked for. */
export type SwapOutcome =
  | { readonly status: 'filled'; readonly fill: Fill }
  /** The guard kept it back: before the quote, on the quote, or on the transaction. */
  | {
      readonly status: 'refused'
      readonly code: string
      readonly message: string
      readonly numbers: Readonly<Record<string, string | number | bigint>>
    }
  /** Nothing changed hands: no quote, no transaction, refused by the service, reverted or never landed. */
  | { readonly status: 'failed'; readonly reason: string }

export interface TicketView {
  readonly ticketId: string
  /** `unknown` where the service does not say. */
  readonly mode: string
  /** 0n where the service does not say: nothing is entered then, since what is in play is not known. */
  readonly stake: Usdc
  /** 0 where the service does not say. */
  readonly durationSec: number
}

/** An entry that was let out and has no outcome yet: it becomes a ticket or a seat, or comes to nothing. */
export interface EnteringView {
  readonly type: 'enqueue' | 'createContest' | 'joinContest'
  /** Undefined of a contest joined by an earlier run, until it is read. */
  readonly mode: string | undefined
  readonly stake: Usdc
  /** Of `joinContest`. */
  readonly contestId: string | undefined
  /** Unix milliseconds. */
  readonly askedAt: number
}

export type ContestPhase = 'open' | 'live' | 'settled' | 'cancelled'

/** A contest this bot has a seat in. */
export interface ContestView {
  readonly contestId: string
  /** `unknown` until the service has said it. */
  readonly mode: string
  readonly phase: ContestPhase
  /** 0n until the service has said it. */
  readonly stake: Usdc
  readonly side: string | undefined
  /** The token the contest is about, where the mode has one. */
  readonly token: Mint | undefined
  /** Unix milliseconds; undefined before the contest is live. */
  readonly startsAt: number | undefined
  readonly endsAt: number | undefined
}

/** A contest of others that can be joined. */
export interface OpenContestView {
  readonly contestId: string
  readonly mode: string
  readonly format: string
  /** Undefined where the service does not say. */
  readonly chain: string | undefined
  /** Whom one would play there, who sits there already and who may still come: HUMAN, AGENT or ANY; undefined where the service does not say. */
  readonly opponents: string | undefined
  readonly stake: Usdc
  /** 0 where the service does not say. */
  readonly durationSec: number
  readonly capacity: number
  readonly filled: number
  readonly token: Mint | undefined
  /** Sides already taken, for a duel of a mode with sides. */
  readonly sidesTaken: readonly string[]
  /** Unix milliseconds after which it can no longer be joined, where the service says so. */
  readonly joinBy: number | undefined
}

export interface LimitsView {
  readonly maxStake: Usdc
  readonly dailyLossCap: Usdc
  readonly lostToday: Usdc
  readonly inPlay: Usdc
  readonly remaining: Usdc
  /** Unix milliseconds; undefined where the service does not say. */
  readonly resetsAt?: number | undefined
}

export interface BankrollView {
  readonly available: Usdc
  readonly inPlay: Usdc | undefined
}

export type ResultCount = Readonly<Record<Result, number>>

/** What came of the contests that were settled on the same terms. */
export interface TermsRecord extends ResultCount {
  readonly mode: string
  /** Whom it was against, as the service says of the result: HUMAN, AGENT or MIXED. */
  readonly versus: string
  readonly stake: Usdc
  /** Undefined where the bot never heard when it started. */
  readonly durationSec: number | undefined
  /** Of all of them together. */
  readonly profit: Usdc
}

/** The bot's own record, folded from its events. */
export interface StatsView {
  readonly settled: number
  readonly profit: Usdc
  readonly staked: Usdc
  readonly byMode: Readonly<Record<string, ResultCount & { readonly profit: Usdc }>>
  /** The 512 terms played most recently, the last one last. */
  readonly byTerms: readonly TermsRecord[]
}

/** Everything the bot knows of itself. */
export interface BotView {
  readonly limits: LimitsView | undefined
  readonly bankroll: BankrollView | undefined
  readonly tickets: readonly TicketView[]
  /** Entries on their way: no ticket and no contest shows them yet, and their stakes may be taken. Empty whenever a queue policy is asked. */
  readonly entering: readonly EnteringView[]
  /** Seats taken, in contests not over yet. */
  readonly contests: readonly ContestView[]
  /** Ids of those of them in which a swap was executed, waits, or may have been sent: by an earlier run as well. */
  readonly swappedIn: readonly string[]
  readonly openContests: readonly OpenContestView[]
  readonly stats: StatsView
}
