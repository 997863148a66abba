import type { Observable } from 'rxjs'
import type { ProcedureOutput } from '../../contract/procedures.ts'
import type { Mint } from '../../core/tokens.ts'
import type { PaperSwap, Refusal, SimulatedChanges, SwapQuote } from '../../guard/index.ts'
import type { Outcome } from './outcome.ts'

// What the pipeline needs of the DEX and the chain.

export interface QuoteRequest {
  readonly from: Mint
  readonly to: Mint
  /** Base units of `from`. */
  readonly amount: bigint
  readonly slippageBps: number
  /** Whose swap it is to be: a DEX that answers with instructions makes them for one wallet. */
  readonly wallet?: string
  /** A stake depends on it: it goes before others where requests are few. */
  readonly isUrgent?: true
}

/** Why there is no quote or no transaction. `retryable`: another try may have one. `part`: who it was, where it was not the DEX. */
export interface SwapTrouble {
  readonly ok: false
  readonly reason: string
  readonly retryable: boolean
  readonly part?: 'rpc'
  /** The swap would have failed on the chain: nobody on its way is to blame. */
  readonly isOfMarket?: true
  /** It was asked too often: who waits a little is answered again. */
  readonly isHeldBack?: true
  /** It was not asked: this process's own budget of requests had none free in time. */
  readonly hadNoTurn?: true
}

/**
 * A quote as it was got; `raw` is what a transaction is built from, with the fields nobody here knows: undefined in a world
 * without a chain, where the quote itself is carried out.
 */
export type QuoteResult = ({ readonly ok: true; readonly quote: SwapQuote; readonly raw: unknown } | SwapTrouble) & {
  /** The requests that are left, as of this answer; absent where no limit is known, and in older recordings. */
  readonly budget?: SwapBudget
}

export interface BuiltSwap {
  /** The unsigned transaction, base64. */
  readonly transaction: string
  /** The block height after which it can no longer land. */
  readonly lastValidBlockHeight: number
  /** Contents of the lookup tables it names, by address, as far as they could be read; undefined without an RPC. */
  readonly tables: ReadonlyMap<string, readonly string[]> | undefined
  /** What it would change; undefined without an RPC. */
  readonly simulated: SimulatedChanges | undefined
}

/**
 * `built`: what is to be signed. `isSpent`: an equal swap was executed under the same blockhash, so that the two are one
 * transaction; built on a newer one it is another. `refusal`: the guard's, of what a transaction would have been composed of.
 */
export type BuildResult =
  | { readonly ok: true; readonly built: BuiltSwap }
  | (SwapTrouble & { readonly isSpent?: boolean; readonly refusal?: Refusal })

export interface BuildRequest {
  /** Of the quote. */
  readonly raw: unknown
  readonly wallet: string
  /** Unix milliseconds until which the quote holds: what is built later is built in vain. */
  readonly by?: number
}

/** What is looked for on the chain: a swap that was sent, or may have been. */
export interface SentSwap {
  readonly wallet: string
  /** As it was sent, base64. */
  readonly transaction: string
  /** Known once the service has answered. */
  readonly signature: string | undefined
  readonly lastValidBlockHeight: number
}

/** Base units of one mint that a transaction moved into the wallet, or out of it. SOL and wrapped SOL are one. */
export interface WalletChange {
  readonly mint: Mint
  readonly delta: bigint
}

/** What the chain says of a sent swap. */
export type Landing =
  | {
      readonly status: 'landed'
      readonly signature: string
      readonly changes: readonly WalletChange[]
      readonly feeLamports: bigint
      /** Of its block, in Unix seconds, where the chain tells it. */
      readonly blockTime?: number | undefined
      /** What `agent.bankroll` shows now, where it is known without asking. */
      readonly bankroll?: ProcedureOutput<'agent.bankroll'>
    }
  /** It landed and failed: only its fee is gone. */
  | {
      readonly status: 'reverted'
      readonly signature: string
      readonly reason: string
      readonly feeLamports: bigint
      readonly bankroll?: ProcedureOutput<'agent.bankroll'>
    }
  /** It is not there, and can still come. */
  | { readonly status: 'pending' }
  /** It is not there, and its blockhash has expired: it never will be. */
  | { readonly status: 'expired' }
  /** The chain could not be asked, or no RPC is configured. */
  | { readonly status: 'unavailable'; readonly reason: string }

/**
 * What became of a paper swap: at once what a chain would say of it later, and the bankroll that it left, or why it was not
 * taken.
 */
export type PaperFill = Extract<Landing, { status: 'landed' | 'reverted' }> | Extract<Outcome, { status: 'rejected' }>

/** A swap that is quoted, built and simulated, and never sent: to see whether one could be. */
export interface PathRequest {
  readonly wallet: string
  readonly request: QuoteRequest
  /** A look of another bot of the process does as well, where it is no older. Milliseconds. */
  readonly maxAgeMs: number
}

/** The requests that the host of the DEX takes, a minute, and what stands against them. */
export interface SwapBudget {
  readonly perMinute: number
  /** Requests that could still be sent in that minute; absent in older recordings. */
  readonly free?: number
  /** What prices need at their least pace; 0 where another host has them. */
  readonly prices: number
  /** Others' requests of the last minute, with the same key. */
  readonly others: number
  /** Looks at the way of a swap. */
  readonly looks: number
  readonly requestsPerSwap: number
}

/** What came of it. The wallet may be another bot's. */
export interface PathCheck {
  readonly wallet: string
  readonly request: QuoteRequest
  /** Unix milliseconds at which it was begun. */
  readonly at: number
  readonly quoted: QuoteResult
  /** Undefined where there was no quote. */
  readonly built: BuildResult | undefined
  /** As it stands after the look; absent where no limit is known, and in older recordings. */
  readonly budget?: SwapBudget
}

/** The DEX and the chain of the bot's wallet. Every answer is one value. Nothing here fails: what goes wrong is a result. */
export interface Swapper {
  /** Whether an RPC is configured: without one a swap is neither simulated nor looked up. */
  readonly hasChain: boolean
  quote(request: QuoteRequest): Observable<QuoteResult>
  build(request: BuildRequest): Observable<BuildResult>
  /** Executes a swap that is on paper alone, and was not built: only a world without a chain can. */
  executePaper?(swap: PaperSwap): Observable<PaperFill>
  landing(sent: SentSwap): Observable<Landing>
  /** Tries the way of a swap; undefined of a world in which it cannot break. */
  check?(request: PathRequest): Observable<PathCheck>
}
