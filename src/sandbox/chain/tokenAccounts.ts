import { PublicKey } from '@solana/web3.js'
import { invariant } from '../../core/error.ts'
import {
  associatedTokenAddress,
  isTokenAccountData,
  mintBytes,
  readTokenAccount,
  TOKEN_2022_PROGRAM_ID,
  TOKEN_ACCOUNT_BYTES,
  TOKEN_ACCOUNT_STATE,
  TOKEN_PROGRAM_ID,
  TOKEN_PROGRAMS,
  tokenAccountBytes,
  withTokenAmount,
} from '../../core/tokenProgram.ts'
import { type Mint, SOL_MINT, type Token, tokenOfMint } from '../../core/tokens.ts'
import { transferFeeOf, withFeeAmount, withFeeConfig } from './transferFees.ts'
import type { ChainAccount } from './vm.ts'

/** What a token account says. */
export interface TokenHolding {
  readonly mint: Mint
  readonly owner: string
  /** Base units. */
  readonly amount: bigint
  /** Whether anybody but the owner may take from it or close it. */
  readonly shared: boolean
}

export function tokenProgramOf({ tokenProgram }: Token): PublicKey {
  return tokenProgram === 'token-2022' ? TOKEN_2022_PROGRAM_ID : TOKEN_PROGRAM_ID
}

const MOST_ADDRESSES = 10_000
const addresses = new Map<string, string>()

/** The associated token account of an owner. Deriving one is a search for a point off the curve, so those of late are kept. */
export function tokenAddress(owner: string, token: Token): string {
  const key = `${owner}:${token.mint}`
  const known = addresses.get(key)
  if (known !== undefined) return known
  const oldest = addresses.size < MOST_ADDRESSES ? undefined : addresses.keys().next().value
  if (oldest !== undefined) addresses.delete(oldest)
  const address = associatedTokenAddress(new PublicKey(owner), new PublicKey(token.mint), tokenProgramOf(token)).toBase58()
  addresses.set(key, address)
  return address
}

/** Reads a token account; undefined for any other account. */
export function holdingOf({ owner: program, data }: ChainAccount): TokenHolding | undefined {
  if (!TOKEN_PROGRAMS.includes(program) || !isTokenAccountData(data)) return undefined
  const { mint, owner, amount, state, delegate, closeAuthority } = readTokenAccount(data)
  if (state === TOKEN_ACCOUNT_STATE.uninitialized) return undefined
  return { mint: mint.toBase58(), owner: owner.toBase58(), amount, shared: delegate !== undefined || closeAuthority !== undefined }
}

/** Bytes of a token account of this mint. */
export const accountBytesOf = (mint: Mint): number =>
  transferFeeOf(mint) === undefined ? TOKEN_ACCOUNT_BYTES : withFeeAmount(Buffer.alloc(TOKEN_ACCOUNT_BYTES)).length

export interface NewTokenAccount {
  readonly address: string
  readonly owner: string
  readonly token: Token
  readonly amount: bigint
  /** Lamports that keep the account alive. */
  readonly rent: bigint
}

/** A token account as its program would have made it. */
export function tokenAccount({ address, owner, token, amount, rent }: NewTokenAccount): ChainAccount {
  const isNative = token.mint === SOL_MINT
  const plain = tokenAccountBytes({
    mint: new PublicKey(token.mint),
    owner: new PublicKey(owner),
    amount,
    delegate: undefined,
    state: TOKEN_ACCOUNT_STATE.initialized,
    nativeReserve: isNative ? rent : undefined,
    delegatedAmount: 0n,
    closeAuthority: undefined,
  })
  const data = transferFeeOf(token.mint) === undefined ? plain : withFeeAmount(plain)
  return { address, lamports: isNative ? rent + amount : rent, owner: tokenProgramOf(token).toBase58(), data, executable: false }
}

/** The same token account with another amount. */
export function withAmount(account: ChainAccount, amount: bigint): ChainAccount {
  const held = readTokenAccount(account.data)
  const data = withTokenAmount(account.data, amount)
  return { ...account, data, lamports: held.nativeReserve === undefined ? account.lamports : account.lamports + amount - held.amount }
}

/** A mint without authorities, at its real address. */
export function mintAccount(token: Token, supply: bigint, rent: bigint): ChainAccount {
  const plain = mintBytes({ supply, decimals: token.decimals, isInitialized: true })
  const fee = transferFeeOf(token.mint)
  const data = fee === undefined ? plain : withFeeConfig(plain, fee)
  return { address: token.mint, lamports: rent, owner: tokenProgramOf(token).toBase58(), data, executable: false }
}

/** A token that was checked to be in the table. */
export function knownToken(mint: Mint): Token {
  const token = tokenOfMint(mint)
  invariant(token !== undefined, `${mint} is not a token of the sandbox`)
  return token
}
