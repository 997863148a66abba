import type { Price } from '../core/price.ts'
import type { Mint } from '../core/tokens.ts'

// The lines of a recorded log: one JSON object each. `docs/log-format.md` says the same to readers in other languages.

/** Raised when a reader of the version before could not read what is written. */
export const LOG_VERSION = 1

/** The realm of a log that names none. */
export const UNNAMED_REALM = 'live'

/** First of every segment. */
export interface HeaderLine {
  readonly kind: 'header'
  readonly version: number
  /** `live`: a bot's own recording; `import`: made from a price file. */
  readonly source: 'live' | 'import'
  /** Whose time it is: `import`, `sandbox`, or the origin of the service's URL; absent in older logs: `live`. Two logs of one realm that overlap tell of the same. */
  readonly realm?: string | undefined
  readonly bot: string
  /** Null where there is no agent: an imported log. */
  readonly agentId: string | null
  /** One start of the bot: all segments of one run share it. */
  readonly run: string
  /** Place of the segment in its run, from 1. */
  readonly segment: number
  /** Unix milliseconds. */
  readonly at: number
  readonly software: { readonly cornerman: string; readonly node: string }
  readonly config: BotFingerprint | null
  /** The mapping that the service was read by, and its SHA-256; absent in older recordings. What inputs say is said by it already. */
  readonly shapes?: { readonly hash: string; readonly pieces: Readonly<Record<string, unknown>> } | undefined
  /** Of a bot that several hosts play by turns: which one did here, and in which turn, from 1. */
  readonly fleet?: { readonly host: string; readonly epoch: number } | undefined
  /** The columns of `prices` lines from here on. */
  readonly mints: readonly Mint[]
}

/** What decided a run: equal fingerprints on equal inputs give equal decisions. */
export interface BotFingerprint {
  /** SHA-256 of the bot's whole config, its strategies' parameters included; secrets are in it by name only, or masked. */
  readonly config: string
  /** The time a strategy had for an answer; absent: 10 s. */
  readonly strategyTimeoutMs?: number
  readonly strategies: readonly StrategyFingerprint[]
}

export interface StrategyFingerprint {
  readonly kind: string
  readonly name: string
  /** JSON; an amount is a digit string. */
  readonly params: unknown
  /** SHA-256 of the text of the strategy's functions. */
  readonly code: string
}

/** Tokens were added: the columns of `prices` lines from here on. */
export interface MintsLine {
  readonly kind: 'mints'
  readonly mints: readonly Mint[]
}

/** One answer of the price feed. */
export interface PricesLine {
  readonly kind: 'prices'
  /** The number of the input with which the bot learnt of it; absent where it was known before the bot listened. */
  readonly n?: number
  /** Unix milliseconds of that input; where there is none, of the answer. */
  readonly at: number
  /** Counts the answers of the feed's run. */
  readonly tick: number
  /** Unix milliseconds at which the prices were known, where that is not `at`. */
  readonly known?: number
  /** By column, decimal text; null: not in this answer. Trailing nulls may be left out. */
  readonly prices: readonly (Price | null)[]
}

/** Anything else that happened to the bot. */
export interface InputLine {
  readonly kind: 'input'
  readonly n: number
  readonly at: number
  readonly type: string
  /** As the type says (`docs/log-format.md`); amounts are digit strings. */
  readonly body: unknown
  /** Which texts of `body` are integers, dates and the like: superjson's `meta`. Absent where all is plain JSON. */
  readonly meta?: unknown
}

/** What input `n` led to. Absent where it led to nothing. */
export interface OutputLine {
  readonly kind: 'output'
  /** The input that caused it. */
  readonly n: number
  readonly at: number
  readonly decisions: readonly Decision[]
}

export type Decision =
  /** An action that the guard let out; `key` names it in what comes later. */
  | {
      readonly type: 'approved'
      readonly key: string
      readonly strategy: string
      readonly action: unknown
      readonly stake: string
      readonly risk: string
    }
  | {
      readonly type: 'refused'
      readonly strategy: string
      readonly action: unknown
      readonly code: string
      readonly numbers: Readonly<Record<string, unknown>>
    }
  /** An approved action, or a swap's transaction, goes to the service. */
  | { readonly type: 'sent'; readonly key: string; readonly procedure: string }
  /** What became of one. */
  | { readonly type: 'outcome'; readonly key: string; readonly status: string; readonly made?: string; readonly detail?: string }
  /** A swap was executed: base units. */
  | {
      readonly type: 'fill'
      readonly key: string
      readonly from: Mint
      readonly to: Mint
      readonly given: string
      readonly received: string
    }
  /** A prediction was committed to: its salt is in no log. */
  | { readonly type: 'commitment'; readonly contestId: string; readonly commitment: string }

/** A contest that an imported log offers. A live log's are read from its inputs. */
export interface ContestLine {
  readonly kind: 'contest'
  /** Unix milliseconds from which it can be entered. */
  readonly at: number
  readonly contestId: string
  readonly mode: string
  readonly chain: string
  readonly format: 'duel' | 'lobby'
  /** Micro-USDC. */
  readonly stake: string
  readonly durationSec: number
  readonly capacity: number
  /** Who the others are. */
  readonly opponents: 'AGENT' | 'HUMAN'
  readonly params: Readonly<Record<string, unknown>>
  /** Whether the match queue seats it, or it is listed to be joined. */
  readonly via: 'queue' | 'list'
}

export type LogLine = HeaderLine | MintsLine | PricesLine | InputLine | OutputLine | ContestLine
