import { ComputeBudgetProgram, Keypair, PublicKey, SystemProgram, TransactionMessage, VersionedTransaction } from '@solana/web3.js'
import {
  associatedTokenAddress,
  closeTokenAccount,
  openTokenAccount,
  syncNative,
  TOKEN_2022_PROGRAM_ID,
  TOKEN_PROGRAM_ID,
  transferTokensChecked,
} from '../../src/core/tokenProgram.ts'
import { type Mint, SOL_MINT, tokenOfMint } from '../../src/core/tokens.ts'

/** The agent's wallet in tests: an address whose key nobody needs. */
export const WALLET = Keypair.fromSeed(new Uint8Array(32).fill(1)).publicKey.toBase58()

const DEX = Keypair.fromSeed(new Uint8Array(32).fill(2))

export interface Pair {
  readonly wallet: string
  readonly from: Mint
  readonly to: Mint
  readonly given: bigint
  readonly received: bigint
  /** Makes the message unlike any other. */
  readonly blockhash: string
  readonly microLamports?: number
  /** Who is paid out to; the wallet itself unless a test says otherwise. */
  readonly receiver?: string
}

/** A swap as the sandbox's DEX builds it: the agent pays, the DEX, which has signed, pays out; base64. */
export function pairTransaction({ wallet, from, to, given, received, blockhash, microLamports = 1000, receiver = wallet }: Pair): string {
  const [user, dex] = [new PublicKey(wallet), DEX.publicKey]
  const open = (mint: Mint) =>
    openTokenAccount(user, accountOf(wallet, mint), { owner: user, mint: new PublicKey(mint), program: programOf(mint) })
  const transfer = (mint: Mint, source: PublicKey, target: PublicKey, authority: PublicKey, amount: bigint) =>
    transferTokensChecked(
      { from: source, to: target, authority, amount, program: programOf(mint) },
      { mint: new PublicKey(mint), decimals: decimalsOf(mint) },
    )
  const wrapped = accountOf(wallet, SOL_MINT)
  const wrap = [open(from), SystemProgram.transfer({ fromPubkey: user, toPubkey: wrapped, lamports: given }), syncNative(wrapped)]
  const instructions = [
    ComputeBudgetProgram.setComputeUnitLimit({ units: 200_000 }),
    ComputeBudgetProgram.setComputeUnitPrice({ microLamports }),
    ...(from === SOL_MINT ? wrap : []),
    open(to),
    transfer(from, accountOf(wallet, from), accountOf(dex.toBase58(), from), user, given),
    transfer(to, accountOf(dex.toBase58(), to), accountOf(receiver, to), dex, received),
    ...(from === SOL_MINT || to === SOL_MINT ? [closeTokenAccount(wrapped, user, user)] : []),
  ]
  const transaction = new VersionedTransaction(
    new TransactionMessage({ payerKey: user, recentBlockhash: blockhash, instructions }).compileToV0Message(),
  )
  transaction.sign([DEX])
  return Buffer.from(transaction.serialize()).toString('base64')
}

const programOf = (mint: Mint) => (tokenOfMint(mint)?.tokenProgram === 'token-2022' ? TOKEN_2022_PROGRAM_ID : TOKEN_PROGRAM_ID)

const decimalsOf = (mint: Mint): number => tokenOfMint(mint)?.decimals ?? 0

const accountOf = (owner: string, mint: Mint): PublicKey =>
  associatedTokenAddress(new PublicKey(owner), new PublicKey(mint), programOf(mint))
