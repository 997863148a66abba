import { ComputeBudgetProgram, PublicKey, SystemProgram, type TransactionInstruction } from '@solana/web3.js'
import { closeTokenAccount, openTokenAccount, syncNative, type TokenTransfer, transferTokensChecked } from '../../core/tokenProgram.ts'
import { SOL_MINT, type Token } from '../../core/tokens.ts'
import { knownToken, tokenAddress, tokenProgramOf } from '../chain/tokenAccounts.ts'
import type { SwapRequest } from './swapRequest.ts'

/** What a swap consists of, in the order it is executed. */
export interface SwapInstructions {
  /** Makes the accounts, wraps SOL, and pays the DEX; by way of wrapped SOL it is paid twice, and gives that in between. */
  readonly setup: readonly TransactionInstruction[]
  /** The DEX's own leg, or its last. */
  readonly swap: TransactionInstruction
  /** Unwraps SOL, or closes the account it went through. */
  readonly cleanup: TransactionInstruction | null
}

/** The most a transaction may use, and what one gets that does not ask for its own limit. */
export const MOST_COMPUTE_UNITS = 1_400_000

export interface SwapRoute {
  /** The DEX's authority. */
  readonly dexAddress: string
  /** Lamports of wrapped SOL that the swap goes by way of; undefined: it goes straight. */
  readonly hop: bigint | undefined
}

export function buildSwap(
  { userPublicKey, quoteResponse, wrapAndUnwrapSol, destinationTokenAccount }: SwapRequest,
  { dexAddress, hop }: SwapRoute,
): SwapInstructions {
  const [input, output] = [knownToken(quoteResponse.inputMint), knownToken(quoteResponse.outputMint)]
  const [user, dex] = [new PublicKey(userPublicKey), new PublicKey(dexAddress)]
  const account = (token: Token) => new PublicKey(tokenAddress(userPublicKey, token))
  const dexAccount = (token: Token) => new PublicKey(tokenAddress(dexAddress, token))
  const open = (token: Token) =>
    openTokenAccount(user, account(token), { owner: user, mint: new PublicKey(token.mint), program: tokenProgramOf(token) })
  const destination = destinationTokenAccount ? new PublicKey(destinationTokenAccount) : account(output)
  const wraps = wrapAndUnwrapSol && input.mint === SOL_MINT
  const { inAmount, outAmount } = quoteResponse
  const sol = knownToken(SOL_MINT)
  const passed = (amount: bigint) => [
    transfer(sol, { from: dexAccount(sol), to: account(sol), authority: dex, amount }),
    transfer(sol, { from: account(sol), to: dexAccount(sol), authority: user, amount }),
  ]

  const wrapping = wraps
    ? [open(input), SystemProgram.transfer({ fromPubkey: user, toPubkey: account(input), lamports: inAmount }), syncNative(account(input))]
    : []
  return {
    setup: [
      ...wrapping,
      ...(hop === undefined ? [] : [open(sol)]),
      ...(destinationTokenAccount ? [] : [open(output)]),
      transfer(input, { from: account(input), to: dexAccount(input), authority: user, amount: inAmount }),
      ...(hop === undefined ? [] : passed(hop)),
    ],
    swap: transfer(output, { from: dexAccount(output), to: destination, authority: dex, amount: outAmount }),
    cleanup:
      hop !== undefined || wraps || (wrapAndUnwrapSol && output.mint === SOL_MINT && !destinationTokenAccount)
        ? closeTokenAccount(account(sol), user, user)
        : null,
  }
}

export function computeBudget(units: number, microLamports: number): TransactionInstruction[] {
  return [ComputeBudgetProgram.setComputeUnitLimit({ units }), ComputeBudgetProgram.setComputeUnitPrice({ microLamports })]
}

const transfer = (token: Token, moved: Omit<TokenTransfer, 'program'>): TransactionInstruction =>
  transferTokensChecked({ ...moved, program: tokenProgramOf(token) }, { mint: new PublicKey(token.mint), decimals: token.decimals })
