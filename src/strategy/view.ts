import type { Observable } from 'rxjs'
import type { Result } from '../contract/enums.ts'
import type { Mint } from '../core/tokens.ts'
import type { Usdc } from '../core/usdc.ts'

export type { EventData, EventType, ServiceEvent } from '../contract/events.ts'

// What a strategy is shown: snapshots as of the input it is called on, and read-only: a write is a fault.

/** One price of a token, and when the bot learnt it. */
export interface PricePoint {
  /** Unix milliseconds at which the bot learnt the price. */
  readonly at: number
  /** In USD. A number is for calculating with; what must be exact is read by `text`. */
  readonly price: number
}

/** The prices of one period, in USD. */
export interface Candle {
  /** Unix milliseconds at which the candle opens. */
  readonly at: number
  /** The first price of the period. */
  readonly open: number
  /** The highest price of the period. */
  readonly high: number
  /** The lowest price of the period. */
  readonly low: number
  /** The last price of the period. */
  readonly close: number
}

/**
 * Prices in USD as this bot knows them. What is not known yet is `undefined`, never 0. The newest 4,096 to 8,192 prices of each token
 * are kept, over an hour at one a second; older ones are forgotten.
 */
export interface Prices {
  /** The newest price; undefined where there is none yet. */
  now(mint: Mint): number | undefined
  /** Milliseconds since the bot learnt the newest price; undefined where there is none. Do not trade on an old one. */
  age(mint: Mint): number | undefined
  /** The price as the feed wrote it: for anything that must be exact, such as a prediction. */
  text(mint: Mint): string | undefined
  /** Relative change over the last `seconds` (0.01 is 1 % up); undefined where the prices that are kept do not go back so far. */
  change(mint: Mint, seconds: number): number | undefined
  /** Prices of the last `seconds`, oldest first: fewer where the older ones are forgotten. */
  history(mint: Mint, seconds: number): readonly PricePoint[]
  /** Each price from now on. Where the bot falls behind it is told the newest alone. */
  price$(mint: Mint): Observable<PricePoint>
  /** Candles of `seconds` from now on, each once it has closed; a period without a price has none. */
  candles$(mint: Mint, seconds: number): Observable<Candle>
}

/** How much of one token is held. */
export interface Holding {
  readonly mint: Mint
  /** Base units. */
  readonly amount: bigint
}

/** What a contest's executed swaps have made. Figures are folded from balance changes on the chain. */
export interface Positions {
  /** Tokens bought for the contest and still held, USDC apart. */
  readonly holdings: readonly Holding[]
  /** USDC that swaps brought in less what they took, in micro-USDC: negative while more was spent. */
  readonly cash: Usdc
  /** `cash` and the holdings at the newest prices together, in micro-USDC; undefined while one of them has no price. */
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
  /** Of `from`. */
  readonly given: bigint
  /** Of `to`. */
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

/** What became of a swap that a trader asked for. */
export type SwapOutcome =
  /** It was executed. */
  | { readonly status: 'filled'; readonly fill: Fill }
  /** The guard kept it back: before the quote, on the quote, or on the transaction. */
  | {
      readonly status: 'refused'
      /** One of those in docs/guard.md. */
      readonly code: string
      readonly message: string
      /** What decided it: USDC in micro-USDC, other tokens in base units, times in milliseconds. */
      readonly numbers: Readonly<Record<string, string | number | bigint>>
    }
  /** Nothing changed hands: no quote, no transaction, refused by the service, reverted or never landed. */
  | { readonly status: 'failed'; readonly reason: string }

/** A ticket of this bot that waits in the match queue. */
export interface TicketView {
  readonly ticketId: string
  /** `unknown` where the service does not say. */
  readonly mode: string
  /** In micro-USDC. 0n where the service does not say: nothing is entered then, since what is in play is not known. */
  readonly stake: Usdc
  /** 0 where the service does not say. */
  readonly durationSec: number
}

/** An entry that was let out and has no outcome yet: it becomes a ticket or a seat, or comes to nothing. */
export interface EnteringView {
  readonly type: 'enqueue' | 'createContest' | 'joinContest'
  /** Undefined of a contest joined by an earlier run, until it is read. */
  readonly mode: string | undefined
  /** In micro-USDC. */
  readonly stake: Usdc
  /** Of `joinContest`; undefined of the others. */
  readonly contestId: string | undefined
  /** When the guard let it out: Unix milliseconds. */
  readonly askedAt: number
}

/** How far a contest is: it can be joined, it is played, it is over, or it never was played. */
export type ContestPhase = 'open' | 'live' | 'settled' | 'cancelled'

/** A contest this bot has a seat in. */
export interface ContestView {
  readonly contestId: string
  /** `unknown` until the service has said it. */
  readonly mode: string
  readonly phase: ContestPhase
  /** In micro-USDC; 0n until the service has said it. */
  readonly stake: Usdc
  /** The side this bot plays; undefined in a mode without sides. */
  readonly side: string | undefined
  /** The token the contest is about, where the mode has one. */
  readonly token: Mint | undefined
  /** Unix milliseconds; undefined before the contest is live. */
  readonly startsAt: number | undefined
  /** Unix milliseconds; undefined before the contest is live. */
  readonly endsAt: number | undefined
  /** Seats in all; undefined until the service has said it. */
  readonly capacity?: number | undefined
  /** Seats taken; undefined until the service has said it. */
  readonly filled?: number | undefined
  /** Who sits there and how they stand, as the service showed it last; undefined until it has shown the seats. */
  readonly standings?: readonly StandingView[] | undefined
}

/**
 * One seat of a contest, as the service shows it. Its rules of scoring, and when it tells a score, are its own: many tell none before the end.
 *
 * @example contest.standings?.find(({ isOwn }) => isOwn)?.score
 */
export interface StandingView {
  /** True of this bot's seat; false of every seat where the service does not say which one that is. */
  readonly isOwn: boolean
  /** The other's id; undefined where the service hides it. */
  readonly userId: string | undefined
  /** `HUMAN` or `AGENT`; undefined where the service does not say. */
  readonly kind: string | undefined
  /** The side it plays; undefined in a mode without sides. */
  readonly side: string | undefined
  /** As the service writes it; undefined while it tells none. */
  readonly score: string | undefined
}

/** A contest of others that can be joined. */
export interface OpenContestView {
  readonly contestId: string
  readonly mode: string
  /** `duel` or `lobby`. */
  readonly format: string
  /** `solana` or `robinhood`; undefined where the service does not say. */
  readonly chain: string | undefined
  /** Whom one would play there, who sits there already and who may still come: HUMAN, AGENT or ANY; undefined where the service does not say. */
  readonly opponents: string | undefined
  /** In micro-USDC. */
  readonly stake: Usdc
  /** 0 where the service does not say. */
  readonly durationSec: number
  /** Seats in all. */
  readonly capacity: number
  /** Seats taken. */
  readonly filled: number
  /** The token the contest is about, where the mode has one. */
  readonly token: Mint | undefined
  /** Sides already taken, for a duel of a mode with sides. */
  readonly sidesTaken: readonly string[]
  /** Unix milliseconds after which it can no longer be joined, where the service says so. */
  readonly joinBy: number | undefined
}

/** The service's caps for this agent and what is left of them, as `agent.limits` says; the caps of the config's guard hold besides. Amounts are micro-USDC. */
export interface LimitsView {
  /** The largest stake of one entry. */
  readonly maxStake: Usdc
  /** The most that a day may lose. */
  readonly dailyLossCap: Usdc
  /** Lost since the day of the limits began. */
  readonly lostToday: Usdc
  /** Stakes in tickets and contests that are not over. */
  readonly inPlay: Usdc
  /** What is left of `dailyLossCap`; negative where it is passed. */
  readonly remaining: Usdc
  /** When the day of the limits ends: Unix milliseconds; undefined where the service does not say. */
  readonly resetsAt?: number | undefined
}

/** What the wallet has, in micro-USDC, as `agent.bankroll` says. */
export interface BankrollView {
  /** What can be staked or swapped. */
  readonly available: Usdc
  /** Stakes in tickets and contests; undefined where the service does not say. */
  readonly inPlay: Usdc | undefined
}

/** How many contests ended in which way. */
export type ResultCount = Readonly<Record<Result, number>>

/** What came of the contests that were settled on the same terms. */
export interface TermsRecord extends ResultCount {
  readonly mode: string
  /** Whom it was against, as the service says of the result: HUMAN, AGENT or MIXED. */
  readonly versus: string
  /** Of each of them, in micro-USDC. */
  readonly stake: Usdc
  /** Undefined where the bot never heard when it started. */
  readonly durationSec: number | undefined
  /** Of all of them together, in micro-USDC. */
  readonly profit: Usdc
}

/** The bot's own results, counted from all of its events. Amounts are micro-USDC. */
export interface StatsView {
  /** Contests that were settled. */
  readonly settled: number
  /** Of contests; what swaps made or lost is not in it. */
  readonly profit: Usdc
  /** Stakes of the contests that were settled, together. */
  readonly staked: Usdc
  /** A mode that was not played is left out. */
  readonly byMode: Readonly<Record<string, ResultCount & { readonly profit: Usdc }>>
  /** The 512 terms played most recently, the last one last. */
  readonly byTerms: readonly TermsRecord[]
}

/** Everything the bot knows of itself. */
export interface BotView {
  /** Undefined until they were read. */
  readonly limits: LimitsView | undefined
  /** Undefined until it was read. */
  readonly bankroll: BankrollView | undefined
  /** Tickets that wait in the match queue. */
  readonly tickets: readonly TicketView[]
  /** Entries on their way: no ticket and no contest shows them yet, and their stakes may be taken. Empty whenever a queue policy is asked. */
  readonly entering: readonly EnteringView[]
  /** Seats taken, in contests not over yet. */
  readonly contests: readonly ContestView[]
  /** Ids of those among them in which a swap was executed, waits, or may have been sent, by this run or an earlier one. */
  readonly swappedIn: readonly string[]
  /** Contests of others that can be joined, as the bot's queue policies browse them. */
  readonly openContests: readonly OpenContestView[]
  readonly stats: StatsView
  /** By mode, whether a contest of it is let in now: an entry into one that is not open is refused. */
  readonly modes: Readonly<Record<string, ModeView>>
}

/**
 * Whether a mode is open, as far as moves can be made in it.
 *
 * @example MODES.filter((mode) => botView().modes[mode]?.isOpen)
 */
export interface ModeView {
  readonly isOpen: boolean
  /** The guard's code, such as `MODE_CLOSED`; undefined where it is open. */
  readonly why: string | undefined
}
