import type { Mint } from '../core/tokens.ts'

/** A quote as the guard judges it. Amounts in base units. */
export interface SwapQuote {
  readonly from: Mint
  readonly to: Mint
  readonly inAmount: bigint
  readonly outAmount: bigint
  /** The least that comes back, or the swap fails. */
  readonly minOut: bigint
  readonly slippageBps: number
  /** As the quote has it, in basis points; undefined where it says nothing that reads as a number. */
  readonly impactBps: number | undefined
  /** Unix milliseconds at which it was asked for. */
  readonly askedAt: number
}
