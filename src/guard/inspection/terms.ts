import type { TransferFee } from '../../core/tokenFacts.ts'
import type { Mint } from '../../core/tokens.ts'

/** What the bot wants, as quoted. Amounts in base units. */
export interface SwapTerms {
  /** The agent's wallet, base58. */
  readonly wallet: string
  readonly from: Mint
  readonly to: Mint
  /** The most that may be given. */
  readonly amount: bigint
  /** `outAmount` of the quote. */
  readonly quotedOut: bigint
  /** `otherAmountThreshold` of the quote: the least that must come back. */
  readonly minOut: bigint
  /** What the mint keeps back of that: the wallet gets so much less. None when absent. */
  readonly transferFee?: TransferFee | undefined
  /** Of the quote. */
  readonly slippageBps: number
  /** Of the quote; none when absent. */
  readonly platformFeeBps?: number
}

export interface InspectionPolicy {
  /** Programs the user lets in besides the built-in ones: id to name. What they do with the agent's signature is the user's risk. */
  readonly programs: Readonly<Record<string, string>>
  /** The most a compute unit may cost. */
  readonly maxComputePriceMicroLamports: bigint
  /** The most the compute units asked for may cost together. */
  readonly maxPriorityFeeLamports: bigint
  /**
   * What to do with accounts in lookup tables that could not be read. `allow` gives up knowing which pools a swap goes
   * through, and no more: what is checked by address must then be among the transaction's own keys.
   */
  readonly unresolvedTables: 'refuse' | 'allow'
}

/** Contents of lookup tables by address, as far as they could be read; undefined when there is no RPC to read them with. */
export type LookupTables = ReadonlyMap<string, readonly string[]> | undefined
