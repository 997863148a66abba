import type { TokenFacts } from '../../core/tokenFacts.ts'
import type { Mint } from '../../core/tokens.ts'
import type { Usdc } from '../../core/usdc.ts'
import type { Approved, GuardView, PaperSwap, Refusal, SendSwap, SwapQuote } from '../../guard/index.ts'
import type { SwapAction } from '../../strategy/action.ts'
import type { GuardConfig } from '../../strategy/guardConfig.ts'
import type { Fill } from '../../strategy/view.ts'
import type { Bankroll } from '../money/foldFigures.ts'
import type { Hindrance } from '../playable/hindrance.ts'
import type { PathFailure } from '../playable/swapPath.ts'
import type { SwapRecord, WalletFigures } from '../protocol/input.ts'
import type { Note } from '../protocol/note.ts'
import type { Outcome } from '../protocol/outcome.ts'
import type { BuildResult, Landing, QuoteResult } from '../protocol/swapper.ts'
import type { SwapRequest } from '../protocol/swapRequest.ts'
import type { BalanceVerdict, Unsure } from './byBalances.ts'
import type { TransactionStatus } from './statusOf.ts'

/** A swap that the guard has let out, whatever becomes of it. */
export interface Swap {
  /** The key of its intent. */
  readonly key: string
  readonly action: SwapAction
  /** When it was let out, in Unix milliseconds. */
  readonly at: number
  readonly by: string
}

/** A quote as it was got; `raw` is what a transaction is built from. */
export interface Quoted {
  readonly quote: SwapQuote
  readonly raw: unknown
}

interface Approval {
  readonly swap: Swap
  readonly approved: Approved<SwapAction>
  /** Quotes before this one that came to nothing, since whoever was asked was asked too often. */
  readonly heldBack: number
}

/** The DEX is asked for a quote. */
export interface Quoting extends Approval {
  readonly is: 'quoting'
}

/** The DEX is asked for a transaction. */
export interface Building extends Approval {
  readonly is: 'building'
  readonly quoted: Quoted
}

/** Its transaction is built anew in a moment, as long as the quote holds; without a quote it is quoted anew. */
export interface Waiting extends Approval {
  readonly is: 'waiting'
  readonly quoted: Quoted | undefined
  /** Unix milliseconds. */
  readonly buildAt: number
}

/** The service is asked to sign and send it, or whoever carries swaps out in a world without a chain. */
export interface Sending {
  readonly is: 'sending'
  readonly swap: Swap
  readonly record: SwapRecord
}

/** When a swap landed, as exactly as the chain and the bot's own looks tell. Unix milliseconds. */
export interface LandedBetween {
  readonly from: number
  readonly until: number
}

/** It was sent, or may have been. Nothing is sent again: the service, the chain or the balances say what became of it. */
export interface Confirming {
  readonly is: 'confirming'
  readonly swap: Swap
  readonly record: SwapRecord
  /** The answer was lost, or the service has no clear word on it: nobody can say whether it was executed. */
  readonly isLost: boolean
  /** Why the service did not send it, where it may have all the same. */
  readonly refused: string | undefined
  /** Since when the service calls it confirmed while the chain does not show it. Unix milliseconds, as all times here. */
  readonly confirmedAt: number | undefined
  /** The service has said so once more when it was asked again. */
  readonly isConfirmedAgain: boolean
  /** The verdict of the balances, and since when it is that one. */
  readonly balancesSaid: { readonly verdict: BalanceVerdict; readonly since: number } | undefined
  /** When it was last said that nobody can say what became of it. */
  readonly saidAt: number | undefined
  /** When the chain last showed that it had not landed yet, and a time by which it surely had not: that look began later. */
  readonly pendingAt: number | undefined
  readonly unlandedAt: number | undefined
  /** The chain is being asked. */
  readonly isAtChain: boolean
  /** When the service or the chain is asked again. */
  readonly lookAt: number | undefined
  /** When the balances are read. */
  readonly compareAt: number | undefined
}

/** A swap of the wallet that is under way: one, unless a journal holds more of them. */
export type SwapState = Quoting | Building | Waiting | Sending | Confirming

/** Deadlines of a swap, and reads on its behalf, by the kind of their purpose. */
export type SwapTask = 'swapBuild' | 'swap' | 'swapBalances'

export type SwapHappening =
  | { readonly type: 'quoted'; readonly result: QuoteResult }
  | { readonly type: 'built'; readonly result: BuildResult }
  | { readonly type: 'due'; readonly task: SwapTask }
  /** The answer to the order, or its loss. */
  | { readonly type: 'answered'; readonly outcome: Outcome }
  /** A read on its behalf came to nothing, or is not sent yet: it is due again at `at`. */
  | { readonly type: 'unread'; readonly task: Exclude<SwapTask, 'swapBuild'>; readonly at: number }
  /** The service was asked what became of it. */
  | { readonly type: 'status'; readonly status: TransactionStatus }
  /** The balances were read, by a request that was begun then. */
  | { readonly type: 'balances'; readonly begunAt: number }
  | { readonly type: 'landing'; readonly result: Landing }
  /** A contest was settled, in Unix milliseconds of the service. */
  | { readonly type: 'settled'; readonly profit: Usdc; readonly at: number }

export type HappeningOf<T extends SwapHappening['type']> = Extract<SwapHappening, { readonly type: T }>

export type SwapEffect =
  | { readonly type: 'swapRequest'; readonly swapRequest: SwapRequest }
  /** Has the service asked what became of it. */
  | { readonly type: 'readStatus'; readonly signature: string }
  /** Has the wallet's figures read: to tell by them what became of it, and so that they are known before it is sent. */
  | { readonly type: 'readBalances' }
  | { readonly type: 'readFigures' }
  | { readonly type: 'send'; readonly record: SwapRecord; readonly action: Approved<SendSwap | PaperSwap> }
  /** The record has changed, and is to be kept. */
  | { readonly type: 'record'; readonly record: SwapRecord }
  | { readonly type: 'signed'; readonly signature: string }
  | { readonly type: 'lost'; readonly reason: string }
  | ({ readonly type: 'note' } & Note)
  /** The DEX or the RPC was asked too often: the swap waits, and goes on. */
  | { readonly type: 'heldBack'; readonly failure: PathFailure }
  /** The contest's move was in vain, and not by its strategy. */
  | { readonly type: 'hindered'; readonly hindrance: Hindrance; readonly words: string }
  /** It was executed. `bankroll`: what it left, where that came with it. */
  | {
      readonly type: 'filled'
      readonly record: SwapRecord
      readonly fill: Fill
      readonly bankroll: Bankroll | undefined
      readonly landed: LandedBetween | undefined
    }
  /** It failed on the chain: nothing was swapped, and its fee is gone. */
  | { readonly type: 'reverted'; readonly record: SwapRecord; readonly reason: string; readonly bankroll: Bankroll | undefined }
  /** It came to nothing. `failure`: where on its way that was; undefined where it was the market, or nobody. */
  | {
      readonly type: 'ended'
      readonly status: 'rejected' | 'unfilled' | 'expired' | 'reverted'
      readonly reason: string
      readonly failure: PathFailure | undefined
    }
  /** The guard keeps back what it had let pass on to the next step. */
  | { readonly type: 'refused'; readonly refusal: Refusal }

/** The rest of the bot, as a swap sees it: the present, not a snapshot. */
export interface SwapSeen {
  readonly now: number
  /** An RPC is configured. */
  readonly hasChain: boolean
  /** The stream is read to its end. */
  readonly caughtUp: boolean
  readonly timeoutMs: number
  readonly policy: GuardConfig
  /** Undefined until `agent.bankroll` has said it. */
  readonly wallet: string | undefined
  /** Figures of the wallet that are read anew can be had. */
  readonly figuresAreRead: boolean
  /** The wallet as it is now; undefined until it was read after the last move of money. */
  figures(): WalletFigures | undefined
  /** The same, read without delay, of a service that shows the swap before. */
  promptFigures(): WalletFigures | undefined
  unsure(record: SwapRecord): Unsure
  isReadingBalances(key: string): boolean
  /** True where the stake of a contest is lost without a swap. */
  owesSwap(contestId: string): boolean
  /** A swap of this transaction was sent within the last minute. */
  wasSent(transaction: string): boolean
  token(mint: Mint): TokenFacts | undefined
  guard(by: string): GuardView
}
