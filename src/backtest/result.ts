import type { Mode, Result } from '../contract/enums.ts'
import type { Price } from '../core/price.ts'
import type { Mint } from '../core/tokens.ts'
import type { Usdc } from '../core/usdc.ts'

// What a backtest comes to: everything the table, the report, the metrics and the JSON are made of.

export interface BacktestRun {
  readonly logs: readonly string[]
  /** Whether prices and contests of a log were made up: what is made on it says nothing of any market. */
  readonly synthetic: boolean
  /** In the order of the config. */
  readonly bots: readonly BotRun[]
  /** Single prices of single tokens that were played. */
  readonly priceUpdates: number
  /** Events of the service that reached the bots. */
  readonly events: number
  /** Actions put before the guard. */
  readonly decisions: number
  readonly elapsedMs: number
  /** SHA-256 over every decision and outcome of every bot, in order; bots by name. */
  readonly fingerprint: string
  readonly assumptions: Assumptions
}

/** What the fill model was fitted to, or took for granted. Times in milliseconds, costs in basis points. */
export interface Assumptions {
  readonly figures: readonly Assumption[]
}

export interface Assumption {
  /** Such as `half spread`, `queue wait`, `latency of an action`. */
  readonly name: string
  readonly value: number
  readonly unit: 'ms' | 'bps' | 'share'
  /** How many observations of the log it was fitted to; 0: the stated default. */
  readonly samples: number
  /** Where it is neither: it follows from the time between two prices of an imported log. */
  readonly basis?: 'period' | undefined
}

/** The name of the assumption that says what share of the pot the service keeps. */
export const RAKE = 'rake'

export interface BotRun {
  readonly name: string
  /** `params` is JSON, an amount a digit string; `code` is SHA-256 of the text of its functions. */
  readonly strategies: readonly { readonly kind: string; readonly name: string; readonly params: unknown; readonly code: string }[]
  /** SHA-256 of the bot's config. */
  readonly config: string
  /** SHA-256 over every decision and outcome of this bot, in order, whatever it is called. */
  readonly fingerprint: string
  /** USDC in the wallet at the first input. */
  readonly bankroll: Usdc
  /** Every contest that came to an end, in the order of their ends. */
  readonly contests: readonly PlayedContest[]
  /** Tickets that nobody met. */
  readonly expired: number
  readonly refused: Readonly<Record<string, number>>
  /** Swaps executed, and those that came to nothing. */
  readonly swaps: { readonly filled: number; readonly failed: number }
  /** What all swaps made or lost, in micro-USDC, network fees apart: beside the profit of the contests. */
  readonly swapProfit: Usdc
  readonly warnings: readonly Warning[]
  /** Modes that were played and are not in the headline. */
  readonly coarseModes: readonly CoarseMode[]
  /** Its contests beside what they really came to; undefined where the log is of other bots. */
  readonly againstLive?: readonly ComparedContest[] | undefined
  /** When and why the bot could pay for nothing any more, and its backtest ended; null where it had money to the end. */
  readonly ruined: Ruin | null
}

/** A mode whose contests were too short for the prices of the log: the seed decided too many of them. */
export interface CoarseMode {
  readonly mode: Mode
  /** Nine in ten of its contests last at least so long. */
  readonly durationSec: number
  /** The usual time between two prices of the log. */
  readonly periodMs: number
  /** The longest it may be for contests of that length. */
  readonly neededPeriodMs: number
}

/** A contest of a bot on its own recording. */
export interface ComparedContest {
  readonly contestId: string
  readonly mode: Mode
  /** Null: the recorded bot did not play it. */
  readonly live: ContestEnd | null
  /** Null: it was not played to its end here. */
  readonly backtest: ContestEnd | null
  /** What the difference comes from; null where there is none. */
  readonly why: string | null
}

/** Null as a result: cancelled. */
export interface ContestEnd {
  readonly result: Result | null
  readonly profit: Usdc
}

export interface Ruin {
  /** Unix milliseconds. */
  readonly at: number
  /** The smallest stake that the bot asked for and could not pay, and what it had, in micro-USDC. */
  readonly stake: Usdc
  readonly available: Usdc
}

/** Why a result says less than it seems to. */
export interface Warning {
  readonly code: (typeof WARNING_CODES)[number]
  /** A sentence, with what to do about it. */
  readonly message: string
}
export const WARNING_CODES = [
  'MODES_NOT_PLAYED',
  'MODES_NOT_ALLOWED',
  'STRATEGY_FAILED',
  'ACTIONS_REJECTED',
  'SWAPS_ON_OLD_PRICES',
  'ENTRIES_ON_OLD_PRICES',
  'CONTESTS_BETWEEN_PRICES',
  'WAITED_FOR_THE_LOG',
  'OPEN_AT_THE_END',
  'SEALED_SEEN',
] as const

export type OpponentClass = 'AGENT' | 'HUMAN' | 'MIXED'

export interface PlayedContest {
  readonly contestId: string
  readonly mode: Mode
  readonly opponents: OpponentClass
  readonly stake: Usdc
  readonly durationSec: number
  /** Unix milliseconds. `startsAt` and `endsAt` are null where it was cancelled before it locked. */
  readonly enteredAt: number
  readonly startsAt: number | null
  readonly endsAt: number | null
  readonly endedAt: number
  /** Null: cancelled. */
  readonly result: Result | null
  readonly payout: Usdc
  /** Payout less stake; 0 of one that was cancelled. */
  readonly profit: Usdc
  /** USDC that its swaps brought less what they cost, in micro-USDC, network fees apart: beside `profit`. */
  readonly swapProfit: Usdc
  /** Own score as the service writes it; null without a valid move. */
  readonly score: string | null
  readonly moves: readonly PlayedMove[]
  readonly others: readonly Ghost[]
  /** Of the tokens that mattered, from entry to end, thinned to what a chart needs. */
  readonly prices: readonly PriceLine[]
}

export interface PlayedMove {
  readonly at: number
  /** In a few words: `pick WIF`, `predict 187.25`, `UP`, `swap 10 USDC for 0.0534 SOL`. */
  readonly text: string
}

/** Another seat of the contest. */
export interface Ghost {
  readonly kind: 'AGENT' | 'HUMAN'
  /** `recorded`: its final score is the log's; `reference`: a seeded opponent played it. */
  readonly source: 'recorded' | 'reference'
  readonly side: string | null
  readonly score: string | null
  readonly moves: readonly PlayedMove[]
}

export interface PriceLine {
  readonly mint: Mint
  readonly points: readonly (readonly [at: number, price: Price])[]
}
