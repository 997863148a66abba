import { PublicKey, VersionedTransaction } from '@solana/web3.js'
import { associatedTokenAddress, TOKEN_2022_PROGRAM_ID, TOKEN_PROGRAM_ID } from '../../../../src/core/tokenProgram.ts'
import { type Mint, SOL_MINT, TOKENS, USDC_MINT } from '../../../../src/core/tokens.ts'
import type { InspectionPolicy, SwapTerms } from '../../../../src/guard/inspection/terms.ts'

// Real transactions, and the terms each would have been asked for on: found with the libraries alone, not with what is tested.

/** A row of test/data/transactions: what another tool read out of a real transaction. */
export interface Row {
  readonly sha256: string
  readonly version: 'legacy' | 0
  readonly bytes: number
  readonly feePayer: string
  readonly recentBlockhash: string
  readonly lookupTables: readonly string[]
  readonly programs: readonly { readonly id: string; readonly name: string | null }[]
  readonly jupiter: {
    readonly ix: 'route' | 'shared_accounts_route' | 'route_v2'
    readonly inAmount: string
    readonly quotedOut: string
    readonly slippageBps: number
    readonly platformFeeBps: number
  } | null
  readonly base64: string
}

export const bytesOf = ({ base64 }: Row): Uint8Array => new Uint8Array(Buffer.from(base64, 'base64'))

export const POLICY: InspectionPolicy = {
  programs: {},
  maxComputePriceMicroLamports: 10_000_000n,
  maxPriorityFeeLamports: 5_000_000n,
  unresolvedTables: 'refuse',
}

export const JUPITER = 'JUP6LkbZbjS1jKKwapdHNy74zcZ3tLUZoi5QNyVTaV4'
/** Where a swap has the accounts it takes from and pays into, in the variants that the data holds. */
export const POSITIONS = {
  route: { source: 2, destination: 3, sourceMint: undefined, destinationMint: 5 },
  shared_accounts_route: { source: 3, destination: 6, sourceMint: 7, destinationMint: 8 },
  route_v2: { source: 1, destination: 2, sourceMint: 3, destinationMint: 4 },
} as const

/** The wallet's account of a mint under a token program. */
export const accountOf = (wallet: string, mint: Mint, program = TOKEN_PROGRAM_ID): PublicKey =>
  associatedTokenAddress(new PublicKey(wallet), new PublicKey(mint), program)

/** The terms a row was made on; where it is no swap, those that let the most pass: the token it sends, for as much as there is. */
export function termsOf(row: Row): SwapTerms {
  const { message } = VersionedTransaction.deserialize(bytesOf(row))
  const keys = message.staticAccountKeys.map((key) => key.toBase58())
  const mints = [...TOKENS.map(({ mint }) => mint), ...keys]
  const wallet = row.feePayer
  const jupiter = message.compiledInstructions.filter(({ programIdIndex }) => keys[programIdIndex] === JUPITER)
  const { jupiter: swap } = row
  if (swap === null) {
    const sent = message.compiledInstructions.find(({ data, accountKeyIndexes }) => data[0] === 12 && accountKeyIndexes.length === 4)
    const from = keys[sent?.accountKeyIndexes[1] ?? -1] ?? SOL_MINT
    const to = from === USDC_MINT ? SOL_MINT : USDC_MINT
    return { wallet, from, to, amount: 2n ** 63n, quotedOut: 1n, minOut: 1n, slippageBps: 50 }
  }
  const mintOf = (position: number): Mint => {
    const account = keys[jupiter.at(-1)?.accountKeyIndexes[position] ?? -1] ?? ''
    // The temporary account of wrapped SOL is the first account of Jupiter's other instruction.
    if (jupiter.length > 1 && keys[jupiter[0]?.accountKeyIndexes[0] ?? -1] === account) return SOL_MINT
    const isOf = (mint: Mint) =>
      [TOKEN_PROGRAM_ID, TOKEN_2022_PROGRAM_ID].some((program) => accountOf(wallet, mint, program).toBase58() === account)
    return mints.find(isOf) ?? UNKNOWN_MINT
  }
  const { source, destination } = POSITIONS[swap.ix]
  const quotedOut = BigInt(swap.quotedOut)
  return {
    wallet,
    from: mintOf(source),
    to: mintOf(destination),
    amount: BigInt(swap.inAmount),
    quotedOut,
    minOut: (quotedOut * (10_000n - BigInt(swap.slippageBps)) + 9_999n) / 10_000n,
    slippageBps: swap.slippageBps,
    platformFeeBps: swap.platformFeeBps,
  }
}

/** Stands for the mint of the one row that names it in a lookup table only. */
export const UNKNOWN_MINT = 'FQ4sYVNfkyKWLdKiMdmUQPx6PZBYcjMiH5jR3wVb7yfL'
