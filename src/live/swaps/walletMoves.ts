import { type Mint, SOL_MINT } from '../../core/tokens.ts'
import type { WalletChange } from '../../pipeline/index.ts'

/** An account at one moment; one that does not exist has no lamports. */
export interface AccountState {
  readonly lamports: bigint
  /** What it holds, where it is a token account. */
  readonly token: { readonly mint: Mint; readonly owner: string; readonly amount: bigint } | undefined
}

/** An account that a transaction may write to, before it and after it. */
export interface AccountMove {
  readonly address: string
  readonly before: AccountState
  readonly after: AccountState
}

/** What moved of a wallet's, in base units. */
export interface WalletMoves {
  /** Of its token accounts together, by mint: wrapped SOL under `SOL_MINT`, without rent. */
  readonly tokens: ReadonlyMap<Mint, bigint>
  /** Of the wallet itself, with fee and rent gone from it. */
  readonly lamports: bigint
  /** Rent that its token accounts hold more than before. */
  readonly rentLamports: bigint
}

/**
 * Adds up what moved of a wallet's. A token account is the wallet's by who owns it at that moment: one given away is lost
 * with all that is in it. Lamports that lay on the address of an account before it was opened are part of its rent.
 */
export function walletMoves(wallet: string, moves: readonly AccountMove[]): WalletMoves {
  const tokens = new Map<Mint, bigint>()
  let lamports = 0n
  let rentLamports = 0n
  const count = ({ lamports: held, token }: AccountState, sign: bigint) => {
    const amount = token?.amount ?? 0n
    rentLamports += sign * (held - (token?.mint === SOL_MINT ? amount : 0n))
    if (token !== undefined) tokens.set(token.mint, (tokens.get(token.mint) ?? 0n) + sign * amount)
  }
  for (const { address, before, after } of moves) {
    const isOurs = after.token?.owner === wallet
    if (address === wallet) lamports += after.lamports - before.lamports
    else {
      if (before.token === undefined ? isOurs : before.token.owner === wallet) count(before, -1n)
      if (isOurs) count(after, 1n)
    }
  }
  return { tokens: new Map([...tokens].filter(([, delta]) => delta !== 0n)), lamports, rentLamports }
}

/** The same with SOL and wrapped SOL as one, fee and rent apart. */
export function walletChanges({ tokens, lamports, rentLamports }: WalletMoves, feeLamports: bigint): WalletChange[] {
  const sol = lamports + rentLamports + feeLamports + (tokens.get(SOL_MINT) ?? 0n)
  return [...new Map(tokens).set(SOL_MINT, sol)].filter(([, delta]) => delta !== 0n).map(([mint, delta]) => ({ mint, delta }))
}
