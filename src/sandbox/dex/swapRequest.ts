import { z } from 'zod'
import { bytesOfBase58 } from '../chain/base58.ts'

// The DEX API's inputs, as Jupiter's Swap API v1 has them (openapi of jup-ag/docs @ 1dda348d). Fields that
// change nothing here are accepted and not looked at.

const address = z.string().refine((text) => bytesOfBase58(text, 32) !== undefined, 'must be a base58 public key')
const amount = z
  .string()
  .regex(/^\d{1,20}$/, 'must be a digit string')
  .transform(BigInt)
const lamports = z.number().int().min(0).max(1_000_000_000)

const quoteResponse = z.looseObject({
  inputMint: address,
  outputMint: address,
  inAmount: amount,
  outAmount: amount,
  otherAmountThreshold: amount,
  swapMode: z.enum(['ExactIn', 'ExactOut']),
  slippageBps: z.number().int().min(0).max(10_000),
  contextSlot: z.number().int().min(0),
})

const PRIORITY_LEVELS = { medium: 1_000, high: 5_000, veryHigh: 20_000 } as const

/** Lamports on top of the fee for each signature; a tip is for validators that are not there, and costs nothing here. */
const priorityFee = z.union([
  lamports,
  z.enum(['auto', 'disabled']).transform((level) => (level === 'auto' ? PRIORITY_LEVELS.medium : 0)),
  z
    .object({ priorityLevelWithMaxLamports: z.object({ priorityLevel: z.enum(['medium', 'high', 'veryHigh']), maxLamports: lamports }) })
    .transform(({ priorityLevelWithMaxLamports: { priorityLevel, maxLamports } }) => Math.min(PRIORITY_LEVELS[priorityLevel], maxLamports)),
  z.object({ jitoTipLamports: lamports }).transform(() => 0),
  z.object({ jitoTipLamportsWithPayer: z.object({ lamports, payer: address }) }).transform(() => 0),
])

export const swapRequestSchema = z.looseObject({
  userPublicKey: address,
  quoteResponse,
  payer: address.nullish(),
  wrapAndUnwrapSol: z.boolean().default(true),
  asLegacyTransaction: z.boolean().default(false),
  destinationTokenAccount: address.nullish(),
  nativeDestinationAccount: address.nullish(),
  feeAccount: address.nullish(),
  dynamicComputeUnitLimit: z.boolean().default(false),
  prioritizationFeeLamports: priorityFee.default(PRIORITY_LEVELS.medium),
  computeUnitPriceMicroLamports: z.number().int().min(0).max(1_000_000_000).nullish(),
})
export type SwapRequest = z.output<typeof swapRequestSchema>
