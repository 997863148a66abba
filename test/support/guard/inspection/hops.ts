import { PublicKey, type TransactionInstruction } from '@solana/web3.js'
import { closeTokenAccount, openTokenAccount } from '../../../../src/core/tokenProgram.ts'
import { type Mint, SOL_MINT, USDC_MINT } from '../../../../src/core/tokens.ts'
import { SWAPS } from '../../realTransactions.ts'
import { type Edit, editOf } from './editing.ts'
import { accountOf, JUPITER } from './fixtures.ts'
import { hopOf } from './pairs.ts'

// Routes of two hops, through an account that the agent has for the length of the transaction.

export const BONK = 'DezXAZ8z7PnrnRJjz3wXBoRgixCa6xjnB7YaB1pPB263'
export const WIF = 'EKpQGSJtjMFqKZ9KQanSqYXRcF8fBopzLHYxdM65zcjm'

/** A real swap of Jupiter's from USDC to BONK, with the account of a token between opened before and closed after it. */
function jupiterHop(hop: Mint): Edit {
  const row = SWAPS.find(({ sha256 }) => sha256 === '441e4725d7139c79')
  if (row === undefined) throw new Error('the swap from USDC to BONK is gone from the data')
  const edit = editOf(row)
  const wallet = new PublicKey(edit.terms.wallet)
  const own = accountOf(edit.terms.wallet, hop)
  const isSwap = ({ programId, data }: TransactionInstruction) => programId.toBase58() === JUPITER && data.length > 9
  const instructions = edit.instructions.flatMap((instruction) =>
    isSwap(instruction) ? [openTokenAccount(wallet, own, { owner: wallet, mint: new PublicKey(hop) }), instruction] : [instruction],
  )
  return { ...edit, instructions: [...instructions, closeTokenAccount(own, wallet, wallet)] }
}

export const HOPS: readonly (readonly [name: string, Edit, Mint])[] = [
  ['an exchange by way of wrapped SOL', hopOf(USDC_MINT, BONK, SOL_MINT), SOL_MINT],
  ['an exchange by way of another token', hopOf(USDC_MINT, BONK, WIF), WIF],
  ['a swap of Jupiter’s by way of wrapped SOL', jupiterHop(SOL_MINT), SOL_MINT],
  ['a swap of Jupiter’s by way of another token', jupiterHop(WIF), WIF],
]
