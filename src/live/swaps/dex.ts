import type { Clock } from '../../core/clock.ts'
import type { Usdc } from '../../core/usdc.ts'
import type { Swapper } from '../../pipeline/index.ts'
import type { EndpointOptions } from '../endpoint.ts'
import type { RequestBudget } from '../market/requestBudget.ts'

/** What a swap may pay validators to go first, on top of the fee for its signatures. */
export interface SwapFees {
  /** The share of the others' fees to stand with. */
  readonly priorityLevel: 'medium' | 'high' | 'veryHigh'
  readonly maxPriorityFeeLamports: bigint
  /** The most that is bid for a compute unit; left out: what the fee in all allows. */
  readonly maxComputePriceMicroLamports?: bigint
  /** Programs that a transaction may call beside the known ones, for a DEX that composes its own; left out: none. */
  readonly programs?: Readonly<Record<string, string>>
}

export interface DexOptions {
  /** The API of the DEX, such as `https://api.jup.ag/swap/v1`. */
  readonly swapUrl: string
  readonly apiKey: string | undefined
  /** A Solana RPC; undefined: swaps are neither simulated nor looked up. */
  readonly rpcUrl: string | undefined
  /** Genesis hashes of the chains that the RPC may be of; absent: any. */
  readonly genesis?: readonly string[] | undefined
  /** An answer later than this is none. */
  readonly timeoutMs: number
  readonly clock: Clock
  /** Time that no answer of the service moves: for how long something is left alone. Default: `clock`. */
  readonly steady?: Clock
  /** What all that is asked of the host shares; undefined: nothing is counted. */
  readonly budget?: RequestBudget
  /** Default: real connections. */
  readonly connect?: EndpointOptions['connect']
}

/** A DEX and the chain it settles on, as the bots of a run share it: what is asked of them stays in one line. */
export interface Dex {
  /** Requests of the host that one swap costs, from the quote to what is signed. */
  readonly requestsPerSwap: number
  /** The port of one bot, whose swaps pay these fees. */
  swapperFor(fees: SwapFees): Required<Pick<Swapper, 'check'>> & Swapper
  /** USDC of a wallet on the chain, in micro-USDC; undefined without an RPC, or where it does not say. */
  walletUsdc(wallet: string): Promise<Usdc | undefined>
  close(): Promise<void>
}
