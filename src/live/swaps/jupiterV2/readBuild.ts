import { ComputeBudgetInstruction, ComputeBudgetProgram, PublicKey, TransactionInstruction } from '@solana/web3.js'
import { z } from 'zod'
import type { LooseInstruction } from '../../../guard/index.ts'

// The answer of `/build`, Jupiter's Swap API v2 (openapi of jup-ag/docs @ 1dda348d). Its quote is read by `readQuote`.

/** What a table holds at most. */
const MOST_ENTRIES = 256
/** Far more than fit into a transaction: what is larger is not worth looking into. */
const MOST_INSTRUCTIONS = 64
const MOST_ACCOUNTS = 256
const BLOCKHASH_BYTES = 32

const address = z.string().refine(isAddress, 'no base58 public key')

const instruction = z
  .looseObject({
    programId: address,
    accounts: z.array(z.looseObject({ pubkey: address, isSigner: z.boolean(), isWritable: z.boolean() })).max(MOST_ACCOUNTS),
    data: z.base64(),
  })
  .transform(
    ({ programId, accounts, data }): LooseInstruction => ({
      program: programId,
      accounts: accounts.map(({ pubkey, isSigner, isWritable }) => ({ address: pubkey, isSigner, isWritable })),
      data: new Uint8Array(Buffer.from(data, 'base64')),
    }),
  )
const instructions = z.array(instruction).max(MOST_INSTRUCTIONS)

const buildSchema = z.looseObject({
  /** What a compute unit should cost: the limit is not among them. */
  computeBudgetInstructions: instructions,
  setupInstructions: instructions,
  swapInstruction: instruction,
  cleanupInstruction: instruction.nullish(),
  otherInstructions: instructions.nullish(),
  tipInstruction: instruction.nullish(),
  addressesByLookupTableAddress: z.record(address, z.array(address).max(MOST_ENTRIES)).nullish(),
  blockhashWithMetadata: z.looseObject({
    blockhash: z.array(z.number().int().min(0).max(255)).length(BLOCKHASH_BYTES),
    lastValidBlockHeight: z.number().int().nonnegative(),
  }),
})

/** What Jupiter would have a transaction made of. */
export interface Build {
  /** In the order they are executed, without a compute budget. */
  readonly instructions: readonly LooseInstruction[]
  /** What validators are said to ask of a compute unit now. */
  readonly priceMicroLamports: bigint
  /** Lookup tables by address, with what Jupiter says is in them. */
  readonly tables: ReadonlyMap<string, readonly string[]>
  readonly blockhash: string
  readonly lastValidBlockHeight: number
}

/** Reads an answer of `/build`; a text says what is wrong with it. */
export function readBuild(json: unknown): Build | string {
  const read = buildSchema.safeParse(json)
  if (!read.success) {
    const [issue] = read.error.issues
    return `${issue?.path.join('.')}: ${issue?.message}`
  }
  const { computeBudgetInstructions, setupInstructions, swapInstruction, cleanupInstruction, otherInstructions, tipInstruction } = read.data
  const priceMicroLamports = priceOf(computeBudgetInstructions)
  if (priceMicroLamports === undefined) return 'computeBudgetInstructions: not one price of a compute unit'
  const { addressesByLookupTableAddress, blockhashWithMetadata } = read.data
  return {
    instructions: [
      ...setupInstructions,
      swapInstruction,
      ...(cleanupInstruction ? [cleanupInstruction] : []),
      ...(otherInstructions ?? []),
      ...(tipInstruction ? [tipInstruction] : []),
    ],
    priceMicroLamports,
    tables: new Map(Object.entries(addressesByLookupTableAddress ?? {})),
    blockhash: new PublicKey(Uint8Array.from(blockhashWithMetadata.blockhash)).toBase58(),
    lastValidBlockHeight: blockhashWithMetadata.lastValidBlockHeight,
  }
}

/** The one thing that is taken of the instructions for the compute budget, which are never executed; undefined: there is more in them. */
function priceOf(given: readonly LooseInstruction[]): bigint | undefined {
  const [first, ...others] = given
  if (first === undefined) return 0n
  if (others.length > 0 || first.program !== ComputeBudgetProgram.programId.toBase58()) return undefined
  const { accounts: _none, program: _known, data } = first
  const decodable = new TransactionInstruction({ programId: ComputeBudgetProgram.programId, keys: [], data: Buffer.from(data) })
  try {
    return BigInt(ComputeBudgetInstruction.decodeSetComputeUnitPrice(decodable).microLamports)
  } catch {
    return undefined
  }
}

export function isAddress(text: string): boolean {
  try {
    return new PublicKey(text).toBase58() === text
  } catch {
    return false
  }
}
