import type { JupiterSwap } from './jupiter/swap.ts'

type Address = string | undefined

/** What an instruction does, as far as it touches the agent. Addresses are undefined where they lie in a table that was not read. */
export type Effect =
  /** Nothing of anybody's moves. */
  | { readonly kind: 'harmless' }
  | { readonly kind: 'computePrice'; readonly microLamports: bigint }
  | { readonly kind: 'computeLimit'; readonly units: number }
  | { readonly kind: 'lamports'; readonly from: Address; readonly to: Address; readonly lamports: bigint }
  /** Tokens moved; the first of the authorities is the account's, the others sign for it where it is a multisignature. */
  | {
      readonly kind: 'tokens'
      readonly from: Address
      readonly to: Address
      readonly amount: bigint
      readonly authorities: readonly Address[]
    }
  | { readonly kind: 'close'; readonly account: Address; readonly to: Address; readonly authorities: readonly Address[] }
  /** An associated token account made, at the payer's expense. */
  | {
      readonly kind: 'open'
      readonly account: Address
      readonly payer: Address
      readonly owner: Address
      readonly mint: Address
      readonly tokenProgram: Address
    }
  /** Jupiter's own temporary token account of a user. */
  | { readonly kind: 'openTemporary'; readonly account: Address }
  | { readonly kind: 'swap'; readonly swap: JupiterSwap }
  /** A swap whose arguments could not be found in its data. */
  | { readonly kind: 'unreadableSwap'; readonly instruction: string; readonly why: string }
  /** Known by name, and no part of a swap. */
  | { readonly kind: 'forbidden'; readonly instruction: string }
  /** Data the program's decoder does not know. */
  | { readonly kind: 'unknown' }
  /** Of a program that the user let in: what it does is not known. */
  | { readonly kind: 'users' }
  /** Of a program that nobody let in. */
  | { readonly kind: 'foreign' }
