import { ComputeBudgetProgram, PublicKey, SystemProgram, type TransactionInstruction } from '@solana/web3.js'
import { closeTokenAccount, openTokenAccount, syncNative, type TokenTransfer, transferTokensChecked } from '../../core/tokenProgram.ts'
import { SOL_MINT, type Token } from '../../core/tokens.ts'
import { knownToken, tokenAddress, tokenProgramOf } from '../chain/tokenAccounts.ts'
import type { SwapRequest } from './swapRequest.ts'

/** What a swap consists of, in the order it is executed. */
export interface SwapInstructions {
  /** Makes the accounts, wraps SOL, and pays the DEX. */
  readonly setup: readonly TransactionInstruction[]
  /** The DEX's own leg. */
  readonly swap: TransactionInstruction
  /** Unwraps SOL. */
  readonly cleanup: TransactionInstruction | null
}

/** The most a transaction may use, and what one gets that does not ask for its own limit. */
export const MOST_COMPUTE_UNITS = 1_400_000

export function buildSwap(
  { userPublicKey, quoteResponse, wrapAndUnwrapSol, destinationTokenAccount }: SwapRequest,
  dexAddress: string,
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

  const wrapping = wraps
    ? [open(input), SystemProgram.transfer({ fromPubkey: user, toPubkey: account(input), lamports: inAmount }), syncNative(account(input))]
    : []
  return {
    setup: [
      ...wrapping,
      ...(destinationTokenAccount ? [] : [open(output)]),
      transfer(input, { from: account(input), to: dexAccount(input), authority: user, amount: inAmount }),
    ],
    swap: transfer(output, { from: dexAccount(output), to: destination, authority: dex, amount: outAmount }),
    cleanup:
      wraps || (wrapAndUnwrapSol && output.mint === SOL_MINT && !destinationTokenAccount)
        ? closeTokenAccount(account(wraps ? input : output), user, user)
        : null,
  }
}

export function computeBudget(units: number, microLamports: number): TransactionInstruction[] {
  return [ComputeBudgetProgram.setComputeUnitLimit({ units }), ComputeBudgetProgram.setComputeUnitPrice({ microLamports })]
}

const transfer = (token: Token, moved: Omit<TokenTransfer, 'program'>): TransactionInstruction =>
  transferTokensChecked({ ...moved, program: tokenProgramOf(token) }, { mint: new PublicKey(token.mint), decimals: token.decimals })
