import type { Clock } from '../../core/clock.ts'
import type { Swapper } from '../../pipeline/index.ts'

/** What a swap may pay validators to go first, on top of the fee for its signatures. */
export interface SwapFees {
  /** The share of the others' fees to stand with. */
  readonly priorityLevel: 'medium' | 'high' | 'veryHigh'
  readonly maxPriorityFeeLamports: bigint
}

export interface DexOptions {
  /** The API of the DEX, such as `https://lite-api.jup.ag/swap/v1`. */
  readonly swapUrl: string
  readonly apiKey: string | undefined
  /** A Solana RPC; undefined: swaps are neither simulated nor looked up. */
  readonly rpcUrl: string | undefined
  /** An answer later than this is none. */
  readonly timeoutMs: number
  readonly clock: Clock
  /** Time that no answer of the service moves: for how long something is left alone. Default: `clock`. */
  readonly steady?: Clock
}

/** A DEX and the chain it settles on, as the bots of a run share it: what is asked of them stays in one line. */
export interface Dex {
  /** The port of one bot, whose swaps pay these fees. */
  swapperFor(fees: SwapFees): Required<Pick<Swapper, 'check'>> & Swapper
  close(): Promise<void>
}
