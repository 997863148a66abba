/** What a Jupiter v6 swap instruction says. Amounts in base units; addresses are undefined where they lie in a table that was not read. */
export interface JupiterSwap {
  /** As in the program's interface, such as `shared_accounts_route`. */
  readonly instruction: string
  /** Whether what comes out is fixed and what goes in may slip, rather than the other way round. */
  readonly isExactOut: boolean
  /** What goes in, of an exact-out swap as quoted; undefined where only a token ledger on the chain knows it. */
  readonly inAmount: bigint | undefined
  /** What comes out as quoted, before slippage; of an exact-out swap what does come out. */
  readonly quotedOut: bigint
  readonly slippageBps: number
  readonly platformFeeBps: number
  /** Share of what comes out above the quote that does not reach the user; only the newer instructions have it. */
  readonly positiveSlippageBps: number
  /** Who signs for the source account. */
  readonly authority: string | undefined
  readonly source: string | undefined
  /** Where the output goes: the user's account, and the one it is sent on to, if one is named. */
  readonly destinations: readonly (string | undefined)[]
  /** Undefined also where the instruction does not name it. */
  readonly sourceMint: string | undefined
  readonly destinationMint: string | undefined
}
