import type { TransactionError } from './transactionError.ts'

/** What became of a transaction on the chain, in the order of the accounts it names. */
export interface Landing {
  readonly slot: number
  /** Unix milliseconds. */
  readonly at: number
  /** Null: executed whole. */
  readonly error: TransactionError | null
  readonly logs: readonly string[]
  readonly unitsConsumed: bigint
  readonly feeLamports: bigint
  readonly accounts: readonly string[]
  readonly preBalances: readonly bigint[]
  readonly postBalances: readonly bigint[]
  readonly preTokenBalances: readonly TokenBalance[]
  readonly postTokenBalances: readonly TokenBalance[]
}

export interface TokenBalance {
  /** Place among the accounts. */
  readonly accountIndex: number
  readonly mint: string
  readonly owner: string
  /** Base units. */
  readonly amount: bigint
  /** The token program, base58. */
  readonly programId: string
}
