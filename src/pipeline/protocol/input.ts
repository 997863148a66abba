import type { ReadEvent } from '../../contract/events.ts'
import type { ProcedureInput, ProcedureOutput, ReadName } from '../../contract/procedures.ts'
import type { Departure, Reading } from '../../contract/shapes/reading.ts'
import type { ServiceRefusal } from '../../contract/wire.ts'
import type { TokenFacts } from '../../core/tokenFacts.ts'
import type { Mint } from '../../core/tokens.ts'
import type { Usdc } from '../../core/usdc.ts'
import type { LedgerFacts } from '../../guard/index.ts'
import type { Action } from '../../strategy/action.ts'
import type { Fill } from '../../strategy/view.ts'
import type { ModeRecord } from '../playable/modeRecord.ts'
import type { Outcome } from './outcome.ts'
import type { PastFacts } from './pastFacts.ts'
import type { BuildResult, Landing, PathCheck, QuoteResult } from './swapper.ts'
import type { TaskKey } from './taskKey.ts'

export interface ReadRequest<N extends ReadName = ReadName> {
  readonly procedure: N
  readonly input: ProcedureInput<N>
}

/** One that the bot asked for. */
export interface PlannedRead<N extends ReadName = ReadName> extends ReadRequest<N> {
  /** What the answer is for, by the key of what is due. */
  readonly purpose: TaskKey
}

export type ReadResult<N extends ReadName = ReadName> =
  | {
      readonly ok: true
      readonly output: ProcedureOutput<N>
      /** Pinned pieces that it does not have where the mapping has them; absent: none, and in older recordings. */
      readonly departures?: readonly Departure[]
    }
  | {
      readonly ok: false
      readonly refusal: ServiceRefusal | undefined
      readonly reason: string
      /** A list that is not where the mapping has it. */
      readonly departures?: readonly Departure[]
      /** Field that the answer must hold and does not; absent: none, and in older recordings. */
      readonly lacks?: string
    }

/** An action as the journal holds it. */
export interface Intent {
  /** Deterministic: input, strategy, ordinal. */
  readonly key: string
  readonly action: Action
  /** Unix milliseconds. */
  readonly at: number
  /** What it takes out of the bankroll while it is without an outcome: a stake, or the USDC a swap gives. */
  readonly stake: Usdc
  /** The most it can cost. */
  readonly risk: Usdc
}

/** A swap that was sent, or may have been: what a look at the chain needs. */
export interface SwapRecord {
  /** The intent's key. */
  readonly key: string
  readonly wallet: string
  /** As it was sent, base64. */
  readonly transaction: string
  readonly lastValidBlockHeight: number
  /** Unix milliseconds before it was sent. */
  readonly sentAt: number
  /** By the quote: what it gives, what comes back, and the least that does, each less what the mint keeps of it. */
  readonly given: bigint
  readonly quotedOut: bigint
  readonly minOut: bigint
  /** Known once the service has answered. */
  readonly signature: string | undefined
  /** The wallet's figures when it was sent, for a look at the balances where there is no RPC; undefined: not read by then. */
  readonly before: WalletFigures | undefined
}

/** What the service says of the wallet, in micro-USDC and lamports. */
export interface WalletFigures {
  /** Free and in play together: a stake that is taken or comes back leaves it as it was. */
  readonly total: Usdc
  readonly gasLamports: bigint
  /** Of all contests settled by then. */
  readonly profit: Usdc
  /** When they were asked for, in Unix milliseconds; undefined in journals and recordings of before. */
  readonly readAt?: number | undefined
  /** When the answer was there. */
  readonly answeredAt?: number | undefined
}

/** A prediction in custody: without its salt a commitment can never be revealed. */
export interface Custody {
  readonly contestId: string
  readonly entryId: string
  readonly price: string
  readonly salt: string
  readonly commitment: string
  readonly status: CustodyStatus
}
/** `dropped`: the commitment was never taken, so nothing is owed. */
export type CustodyStatus = 'made' | 'committed' | 'revealed' | 'missed' | 'dropped'

/** A swap's transaction as it was sent, base64, and when. */
export interface SentTransaction {
  readonly at: number
  readonly transaction: string
}

/** What an entry is made on. */
export interface EntryTerms {
  readonly mode: string
  readonly stake: Usdc
  readonly durationSec: number
}

/** Where a bot of the same config has, or had, money. */
export interface SiblingEntry {
  readonly bot: string
  readonly key: string
  readonly contestId?: string
  /** Of the contest, where it is known. */
  readonly mode?: string
  readonly ticket?: EntryTerms
  /** Of a contest that is being made, which has no id yet: it may be listed before its maker knows which it is. */
  readonly making?: EntryTerms
  /** Of a contest that is being joined, as it was listed; a duration of 0 is not known. */
  readonly joining?: EntryTerms
  /** The mode, where the bot has closed it: this may be its trial. */
  readonly trial?: string
  /** It is asked for, or about to be: the bot does not know that it is there. */
  readonly meant?: true
  /** No money, but a piece that was not where the mapping of this hash has it. */
  readonly drifted?: { readonly hash: string; readonly piece: string; readonly place: string }
}

/** `stopEntries`, `stopAll` (the kill switch) and `resume` hold until the next of them; `drain` is for good. */
export type OperatorCommand = 'drain' | 'stopEntries' | 'stopAll' | 'resume'

/** What the operator says of one mode: it holds until the other one is said, or a stake in it is lost again. */
export interface ModeCommand {
  readonly mode: string
  readonly command: 'open' | 'close'
  /** Unix milliseconds: to be told the same again, as after a restart, changes nothing. */
  readonly saidAt: number
}

/** What the operator has the bot do now: unlike a command nothing of it holds, and the guard judges it like any other action. */
export type OperatorOrder =
  | { readonly type: 'leaveContest'; readonly contestId: string }
  | { readonly type: 'cancelTicket'; readonly ticketId: string }
  /** For USDC. `amount` in base units: as it was shown to whoever ordered it. */
  | { readonly type: 'sell'; readonly contestId: string; readonly mint: Mint; readonly amount: bigint }
  /** So much of an unexplained fall of the bankroll is accounted for. Micro-USDC. */
  | { readonly type: 'acknowledge'; readonly amount: Usdc }
  /** An entry that nobody ends counts as lost. */
  | { readonly type: 'closeEntry'; readonly key: string }

/** Whatever the operator says to a bot. */
export type OperatorWord = OperatorCommand | ModeCommand | OperatorOrder

/** Everything that can happen to a bot. Each enters once, gets a number, and is processed to its end. */
export type InputBody =
  /** First of every run: what the journal holds of sent and promised things. */
  | {
      readonly type: 'started'
      readonly pending: readonly Intent[]
      readonly custody: readonly Custody[]
      readonly claimed: readonly Claim[]
      /** Tickets of accepted actions that were not taken back since; absent in older recordings. */
      readonly tickets?: readonly string[]
      /** Contests whose seat was given back and not taken again; absent in older recordings. */
      readonly left?: readonly string[]
      /** Contests whose seat the policy readies itself; absent in older recordings. */
      readonly ownReadies?: readonly string[]
      /** Contests, of those that may be open, in which picks were taken, once for each pick; absent in older recordings. */
      readonly picked?: readonly string[]
      /** Contests whose prediction was shown; absent in older recordings. */
      readonly revealed?: readonly string[]
      /** What is known of the playing of modes; absent in worlds where every mode is open, and in older recordings. */
      readonly modes?: readonly ModeRecord[] | undefined
      /** Whether the way of a swap can be tried without one; absent in older recordings. */
      readonly triesPath?: boolean
      /** How the service's answers are read; absent in worlds where nothing of them is unknown, and in older recordings. */
      readonly reading?: Reading
      /** Cursor in the stream after which events are news; null: all are; absent where `madeAt` decides, and in older recordings. */
      readonly newsAfter?: string | null | undefined
      /** When the journal was made; absent in older recordings. */
      readonly madeAt?: number | undefined
      /** The newest swaps that were sent; absent in older recordings. */
      readonly sent?: readonly SentTransaction[]
      readonly swaps: readonly SwapRecord[]
      readonly fills: readonly Fill[]
      /** Whether an RPC is configured: without one a swap is neither simulated nor looked up. */
      readonly hasChain: boolean
      readonly counts: ActionCounts
      /** What events and swaps of before came to, those that follow apart; absent in older recordings, and where nothing is folded. */
      readonly facts?: PastFacts | undefined
      /** The guard's ledger as it was kept last; absent in journals of before, and in older recordings. */
      readonly ledger?: LedgerFacts | undefined
      /** What is wrong with rows that the bot can do without, in words; absent in older recordings. */
      readonly faults?: readonly string[]
      /** How long what an earlier run gave up may still arrive; absent where the timeout says it. */
      readonly mayArriveForMs?: number
    }
  /** One event of the stream; `cursor` is the one past it, where one is known. */
  | {
      readonly type: 'event'
      readonly raw: unknown
      readonly read: ReadEvent
      readonly cursor: string | undefined
      readonly recorded: boolean
    }
  /** The stream was read to its end. */
  | { readonly type: 'caughtUp' }
  /** The stream could not be read; strategies wait until it has been read to its end again. */
  | { readonly type: 'behind'; readonly reason: string; readonly lacks?: string }
  /** The service has lost the place in the stream, and the end of it: it is read on from an older one. */
  | { readonly type: 'restored'; readonly reason: string; readonly cause?: 'retention' }
  | { readonly type: 'answer'; readonly request: PlannedRead; readonly begunAt: number; readonly result: ReadResult }
  | { readonly type: 'prices'; readonly tick: number }
  | { readonly type: 'timer' }
  /** The estimate of the service's clock has moved: it is ahead of this machine's by so many milliseconds. */
  /** The process or its clock stood still, in Unix milliseconds. */
  | { readonly type: 'paused'; readonly from: number; readonly until: number }
  | { readonly type: 'clock'; readonly skewMs?: number; readonly lagMs?: number; readonly gapMs?: number }
  /** USDC that the chain has of the wallet, read right after the bankroll. Micro-USDC. */
  | { readonly type: 'chainBalance'; readonly usdc: Usdc }
  /** The price feed fails or stands still, in words; absent: it is well again. */
  | { readonly type: 'feed'; readonly trouble?: string }
  | { readonly type: 'outcome'; readonly key: string; readonly outcome: Outcome }
  | { readonly type: 'quoted'; readonly key: string; readonly result: QuoteResult }
  | { readonly type: 'built'; readonly key: string; readonly result: BuildResult }
  /** What the chain says of a swap that was sent. */
  | { readonly type: 'landing'; readonly key: string; readonly result: Landing }
  /** The late answer of an asynchronous strategy, or an emission of its own accord. */
  | { readonly type: 'late'; readonly callId: string; readonly result: StrategyResult }
  | { readonly type: 'operator'; readonly command: OperatorCommand }
  | ({ readonly type: 'mode' } & ModeCommand)
  | { readonly type: 'ordered'; readonly order: OperatorOrder }
  /** The way of a swap was tried, without one. */
  | { readonly type: 'pathChecked'; readonly check: PathCheck }
  /** All that is known of tokens now, beside the table: at the start, and whenever it changes. */
  | { readonly type: 'tokens'; readonly tokens: readonly TokenFacts[] }
  | { readonly type: 'siblingEntered'; readonly entry: SiblingEntry }
  | { readonly type: 'siblingLeft'; readonly bot: string; readonly key: string }

export type StrategyResult = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly thrown: unknown }

/** A ticket or contest that is accounted for, and the key of the intent that made or joined it. */
export interface Claim {
  readonly id: string
  readonly key: string
}

/** Totals over the life of a journal. */
export interface ActionCounts {
  /** Actions that have an outcome. */
  readonly sent: number
  readonly refused: number
  /** Of those sent: rejected by the service or not delivered, a race that was lost apart. */
  readonly failed: number
  readonly revealed: number
  readonly missed: number
  /** Swaps that were executed, and those that came to nothing: no quote, refused by the service, reverted, never landed. */
  readonly swapsFilled: number
  readonly swapsFailed: number
}

/** An input in its place: `n` counts the inputs of this bot's run, `at` is Unix milliseconds. */
export type Input = InputBody & { readonly n: number; readonly at: number }
export type InputOf<T extends InputBody['type']> = Extract<Input, { type: T }>
