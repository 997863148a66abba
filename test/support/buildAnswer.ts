import { hash } from 'node:crypto'
import { AddressLookupTableProgram, ComputeBudgetProgram, PublicKey, SystemProgram, type TransactionInstruction } from '@solana/web3.js'
import { associatedTokenAddress, closeTokenAccount, openTokenAccount, TOKEN_PROGRAM_ID } from '../../src/core/tokenProgram.ts'
import { SOL_MINT, USDC_MINT } from '../../src/core/tokens.ts'
import type { QuoteRequest } from '../../src/pipeline/index.ts'
import { routeInstruction } from '../../src/sandbox/chain/routeInstruction.ts'
import { instructionBody } from '../../src/sandbox/dex/instructionBody.ts'

// For tests: an answer of Jupiter's `/build` that does what it says, to be altered.

/** An address that nobody has the key of. */
export const madeUpKey = (name: string): PublicKey => new PublicKey(hash('sha256', name, 'buffer'))

export const TAKER = madeUpKey('taker')
export const STRANGER = madeUpKey('stranger')
export const ASKED_BUILD = {
  from: USDC_MINT,
  to: SOL_MINT,
  amount: 10_000_000n,
  slippageBps: 50,
  wallet: TAKER.toBase58(),
} satisfies QuoteRequest
const OUT = 53_400_000n
/** Rounded up, as Jupiter does. */
const LEAST_OUT = (OUT * 9_950n + 9_999n) / 10_000n

export const accountOf = (owner: PublicKey, mint: string): PublicKey => associatedTokenAddress(owner, new PublicKey(mint), TOKEN_PROGRAM_ID)

export type InstructionBody = ReturnType<typeof instructionBody>
export const bodyOfInstruction = (instruction: TransactionInstruction): InstructionBody => instructionBody(instruction)

export interface BuildAnswer {
  readonly inAmount: unknown
  readonly otherAmountThreshold: string
  readonly setupInstructions: InstructionBody[]
  readonly swapInstruction: InstructionBody
  readonly cleanupInstruction: InstructionBody | null
  readonly otherInstructions: InstructionBody[]
  readonly tipInstruction: InstructionBody | null
  readonly addressesByLookupTableAddress: Record<string, string[]> | null
  readonly blockhashWithMetadata: { readonly blockhash: number[]; readonly lastValidBlockHeight: number }
  readonly [field: string]: unknown
}

export function buildAnswer(taker = TAKER): BuildAnswer {
  const [usdc, sol] = [accountOf(taker, USDC_MINT), accountOf(taker, SOL_MINT)]
  const dex = madeUpKey('dex')
  const swap = routeInstruction({
    user: taker.toBase58(),
    ...{ source: usdc.toBase58(), destination: sol.toBase58(), sourceMint: USDC_MINT, destinationMint: SOL_MINT },
    ...{ sourceProgram: TOKEN_PROGRAM_ID.toBase58(), destinationProgram: TOKEN_PROGRAM_ID.toBase58() },
    ...{ inAmount: ASKED_BUILD.amount, outAmount: OUT, slippageBps: ASKED_BUILD.slippageBps, dex: dex.toBase58() },
    ...{ dexSource: accountOf(dex, USDC_MINT).toBase58(), dexDestination: accountOf(dex, SOL_MINT).toBase58() },
  })
  return {
    ...{ inputMint: USDC_MINT, outputMint: SOL_MINT, inAmount: String(ASKED_BUILD.amount), outAmount: String(OUT) },
    ...{ otherAmountThreshold: String(LEAST_OUT), swapMode: 'ExactIn', slippageBps: 50, priceImpactPct: '0.0001', routePlan: [] },
    computeBudgetInstructions: [instructionBody(ComputeBudgetProgram.setComputeUnitPrice({ microLamports: 4_000 }))],
    setupInstructions: [instructionBody(openTokenAccount(taker, sol, { owner: taker, mint: new PublicKey(SOL_MINT) }))],
    swapInstruction: instructionBody(swap),
    cleanupInstruction: instructionBody(closeTokenAccount(sol, taker, taker)),
    ...{ otherInstructions: [], tipInstruction: null, addressesByLookupTableAddress: null },
    blockhashWithMetadata: { blockhash: [...madeUpKey('blockhash').toBytes()], lastValidBlockHeight: 317_252_774 },
  }
}

/** The same by way of so many more accounts, all of which a table has. */
export function longAnswer(accounts: number): { readonly answer: BuildAnswer; readonly table: string; readonly entries: string[] } {
  const answer = buildAnswer()
  const table = madeUpKey('table').toBase58()
  const entries = Array.from({ length: accounts }, (_, index) => madeUpKey(`pool ${index}`).toBase58())
  const more = entries.map((pubkey) => ({ pubkey, isSigner: false, isWritable: true }))
  const { swapInstruction } = answer
  return {
    answer: {
      ...answer,
      swapInstruction: { ...swapInstruction, accounts: [...swapInstruction.accounts, ...more] },
      addressesByLookupTableAddress: { [table]: entries },
    },
    ...{ table, entries },
  }
}

/** A lookup table as the RPC gives its account. */
export function tableAccount(entries: readonly string[]): unknown {
  const data = Buffer.alloc(56 + 32 * entries.length)
  data.writeUInt32LE(1, 0)
  data.writeBigUInt64LE(2n ** 64n - 1n, 4)
  for (const [index, entry] of entries.entries()) data.set(new PublicKey(entry).toBytes(), 56 + 32 * index)
  return {
    ...{ lamports: 5_000_000, owner: AddressLookupTableProgram.programId.toBase58(), executable: false, rentEpoch: 0 },
    data: [data.toString('base64'), 'base64'],
  }
}

export const sendsSol = (to: PublicKey): InstructionBody =>
  instructionBody(SystemProgram.transfer({ fromPubkey: TAKER, toPubkey: to, lamports: 1_000_000 }))
