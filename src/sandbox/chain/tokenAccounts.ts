import {
  ACCOUNT_SIZE,
  AccountLayout,
  AccountState,
  getAssociatedTokenAddressSync,
  MINT_SIZE,
  MintLayout,
  TOKEN_2022_PROGRAM_ID,
  TOKEN_PROGRAM_ID,
} from '@solana/spl-token'
import { PublicKey } from '@solana/web3.js'
import { invariant } from '../../core/error.ts'
import { type Mint, SOL_MINT, type Token, tokenOfMint } from '../../core/tokens.ts'
import type { ChainAccount } from './vm.ts'

export const TOKEN_PROGRAMS: readonly string[] = [TOKEN_PROGRAM_ID.toBase58(), TOKEN_2022_PROGRAM_ID.toBase58()]

const NOBODY = PublicKey.default

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
  const address = getAssociatedTokenAddressSync(new PublicKey(token.mint), new PublicKey(owner), true, tokenProgramOf(token)).toBase58()
  addresses.set(key, address)
  return address
}

/** Reads a token account; undefined for any other account. */
export function holdingOf({ owner: program, data }: ChainAccount): TokenHolding | undefined {
  // Accounts of Token-2022 can be longer: their extensions follow a byte that says what the account is.
  if (!TOKEN_PROGRAMS.includes(program) || data.length < ACCOUNT_SIZE) return undefined
  if (data.length > ACCOUNT_SIZE && data[ACCOUNT_SIZE] !== TOKEN_2022_ACCOUNT) return undefined
  const { mint, owner, amount, state, delegateOption, closeAuthorityOption } = AccountLayout.decode(data)
  if (state === AccountState.Uninitialized) return undefined
  return { mint: mint.toBase58(), owner: owner.toBase58(), amount, shared: delegateOption === 1 || closeAuthorityOption === 1 }
}

const TOKEN_2022_ACCOUNT = 2

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
  const data = Buffer.alloc(ACCOUNT_SIZE)
  AccountLayout.encode(
    {
      mint: new PublicKey(token.mint),
      owner: new PublicKey(owner),
      amount,
      delegateOption: 0,
      delegate: NOBODY,
      state: AccountState.Initialized,
      isNativeOption: isNative ? 1 : 0,
      isNative: isNative ? rent : 0n,
      delegatedAmount: 0n,
      closeAuthorityOption: 0,
      closeAuthority: NOBODY,
    },
    data,
  )
  return { address, lamports: isNative ? rent + amount : rent, owner: tokenProgramOf(token).toBase58(), data, executable: false }
}

/** The same token account with another amount. */
export function withAmount(account: ChainAccount, amount: bigint): ChainAccount {
  const held = AccountLayout.decode(account.data)
  const data = Buffer.from(account.data)
  AccountLayout.encode({ ...held, amount }, data)
  return { ...account, data, lamports: held.isNativeOption === 1 ? account.lamports + amount - held.amount : account.lamports }
}

/** A mint without authorities, at its real address. */
export function mintAccount(token: Token, supply: bigint, rent: bigint): ChainAccount {
  const data = Buffer.alloc(MINT_SIZE)
  MintLayout.encode(
    {
      mintAuthorityOption: 0,
      mintAuthority: NOBODY,
      supply,
      decimals: token.decimals,
      isInitialized: true,
      freezeAuthorityOption: 0,
      freezeAuthority: NOBODY,
    },
    data,
  )
  return { address: token.mint, lamports: rent, owner: tokenProgramOf(token).toBase58(), data, executable: false }
}

/** A token that was checked to be in the table. */
export function knownToken(mint: Mint): Token {
  const token = tokenOfMint(mint)
  invariant(token !== undefined, `${mint} is not a token of the sandbox`)
  return token
}

export { ACCOUNT_SIZE, MINT_SIZE }
