import { ComputeBudgetProgram, PublicKey, SystemProgram, TransactionInstruction } from '@solana/web3.js'
import {
  amountBytes,
  closeTokenAccount,
  openTokenAccount,
  reads,
  signs,
  TOKEN_PROGRAM_ID,
  tokenInstruction,
  transferTokens,
  writes,
} from '../../../../src/core/tokenProgram.ts'
import { SOL_MINT } from '../../../../src/core/tokens.ts'
import type { InspectionCode } from '../../../../src/guard/inspection/codes.ts'
import { type Edit, madeUp } from './editing.ts'
import { accountOf } from './fixtures.ts'

// What may be done to any swap, and the code that it must be refused with.

export type Mutation = readonly [name: string, alter: (edit: Edit) => Edit, code: InspectionCode]

export const STRANGER = madeUp('stranger')
const MEMO = new PublicKey('MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr')
const WIF = 'EKpQGSJtjMFqKZ9KQanSqYXRcF8fBopzLHYxdM65zcjm'

interface Parts {
  readonly wallet: PublicKey
  /** The agent's own account of what it gives. */
  readonly own: PublicKey
  readonly mint: PublicKey
}

/** Adds an instruction behind the others. */
export const added =
  (make: (parts: Parts) => TransactionInstruction) =>
  (edit: Edit): Edit => {
    const { wallet, from } = edit.terms
    const parts = { wallet: new PublicKey(wallet), own: accountOf(wallet, from), mint: new PublicKey(from) }
    return { ...edit, instructions: [...edit.instructions, make(parts)] }
  }

/** The authority type of a token account's owner. */
const ACCOUNT_OWNER = 2

/** With another bid in place of the one it has, if it has one. */
const bidding = (microLamports: bigint) => (edit: Edit) => ({
  ...edit,
  instructions: [
    ...edit.instructions.filter(({ programId, data }) => !(programId.equals(ComputeBudgetProgram.programId) && data[0] === 3)),
    ComputeBudgetProgram.setComputeUnitPrice({ microLamports }),
  ],
})

export const MUTATIONS: readonly Mutation[] = [
  ['another payer', (edit) => ({ ...edit, payer: STRANGER }), 'TX_FEE_PAYER'],
  ['another program', added(() => new TransactionInstruction({ programId: STRANGER, keys: [] })), 'TX_PROGRAM_NOT_ALLOWED'],
  [
    'a token transfer',
    added(({ wallet, own, mint }) =>
      transferTokens({ from: own, to: accountOf(STRANGER.toBase58(), mint.toBase58()), authority: wallet, amount: 1n }),
    ),
    'TX_TOKEN_TRANSFER',
  ],
  [
    'a token transfer that the agent signs for a multisignature',
    added(({ wallet, own }) =>
      tokenInstruction('Transfer', [writes(STRANGER), writes(own), reads(madeUp('multisig')), signs(wallet)], { data: amountBytes(1n) }),
    ),
    'TX_TOKEN_TRANSFER',
  ],
  [
    'SOL for a stranger',
    added(({ wallet }) => SystemProgram.transfer({ fromPubkey: wallet, toPubkey: STRANGER, lamports: 1 })),
    'TX_SOL_TRANSFER',
  ],
  [
    'SOL for a stranger’s wrapped SOL',
    added(({ wallet }) => SystemProgram.transfer({ fromPubkey: wallet, toPubkey: accountOf(STRANGER.toBase58(), SOL_MINT), lamports: 1 })),
    'TX_SOL_TRANSFER',
  ],
  [
    'more wrapped than is given',
    added(({ wallet }) =>
      SystemProgram.transfer({ fromPubkey: wallet, toPubkey: accountOf(wallet.toBase58(), SOL_MINT), lamports: 200_000_000 }),
    ),
    'TX_SOL_TRANSFER',
  ],
  [
    'an approval',
    added(({ wallet, own }) => tokenInstruction('Approve', [writes(own), reads(STRANGER), signs(wallet)], { data: amountBytes(1n) })),
    'TX_INSTRUCTION_FORBIDDEN',
  ],
  [
    'a checked approval',
    added(({ wallet, own, mint }) =>
      tokenInstruction('ApproveChecked', [writes(own), reads(mint), reads(STRANGER), signs(wallet)], {
        data: Buffer.from([...amountBytes(1n), 6]),
      }),
    ),
    'TX_INSTRUCTION_FORBIDDEN',
  ],
  ['a revocation', added(({ wallet, own }) => tokenInstruction('Revoke', [writes(own), signs(wallet)])), 'TX_INSTRUCTION_FORBIDDEN'],
  [
    'another owner',
    added(({ wallet, own }) =>
      tokenInstruction('SetAuthority', [writes(own), signs(wallet)], { data: Buffer.from([ACCOUNT_OWNER, 1, ...STRANGER.toBytes()]) }),
    ),
    'TX_INSTRUCTION_FORBIDDEN',
  ],
  [
    'a burn',
    added(({ wallet, own, mint }) => tokenInstruction('Burn', [writes(own), writes(mint), signs(wallet)], { data: amountBytes(1n) })),
    'TX_INSTRUCTION_FORBIDDEN',
  ],
  [
    'the wallet assigned to a program',
    added(({ wallet }) => SystemProgram.assign({ accountPubkey: wallet, programId: STRANGER })),
    'TX_INSTRUCTION_FORBIDDEN',
  ],
  [
    'an account made under a seed',
    added(({ wallet }) =>
      SystemProgram.createAccountWithSeed({
        fromPubkey: wallet,
        newAccountPubkey: STRANGER,
        basePubkey: wallet,
        seed: 'seed',
        lamports: 1,
        space: 165,
        programId: TOKEN_PROGRAM_ID,
      }),
    ),
    'TX_INSTRUCTION_FORBIDDEN',
  ],
  [
    'a nonce in place of the blockhash',
    added(({ wallet }) => SystemProgram.nonceAdvance({ noncePubkey: STRANGER, authorizedPubkey: wallet })),
    'TX_INSTRUCTION_FORBIDDEN',
  ],
  [
    'a token instruction nobody knows',
    added(({ own }) => new TransactionInstruction({ programId: TOKEN_PROGRAM_ID, keys: [writes(own)], data: Buffer.from([255, 1]) })),
    'TX_INSTRUCTION_UNKNOWN',
  ],
  ['a higher bid', (edit) => bidding(edit.policy.maxComputePriceMicroLamports + 1n)(edit), 'TX_COMPUTE_PRICE'],
  [
    'a bid that costs too much in all',
    (edit) => ({ ...bidding(1_000n)(edit), policy: { ...edit.policy, maxPriorityFeeLamports: 1n } }),
    'TX_PRIORITY_FEE',
  ],
  [
    'wrapped SOL closed to a stranger',
    added(({ wallet }) => closeTokenAccount(accountOf(wallet.toBase58(), SOL_MINT), STRANGER, wallet)),
    'TX_ACCOUNT_CLOSED',
  ],
  [
    'another account closed',
    added(({ wallet }) => closeTokenAccount(accountOf(wallet.toBase58(), WIF), wallet, wallet)),
    'TX_ACCOUNT_CLOSED',
  ],
  [
    'an account opened for a stranger',
    added(({ wallet, mint }) => openTokenAccount(wallet, accountOf(STRANGER.toBase58(), mint.toBase58()), { owner: STRANGER, mint })),
    'TX_ACCOUNT_OPENED',
  ],
  [
    'an account opened of another token',
    added(({ wallet }) => openTokenAccount(wallet, accountOf(wallet.toBase58(), WIF), { owner: wallet, mint: new PublicKey(WIF) })),
    'TX_ACCOUNT_OPENED',
  ],
  [
    'a signer who has not signed',
    added(() => new TransactionInstruction({ programId: MEMO, keys: [signs(STRANGER)] })),
    'TX_SIGNATURE_MISSING',
  ],
]
