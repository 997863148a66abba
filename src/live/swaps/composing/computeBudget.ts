import { ComputeBudgetProgram, type TransactionInstruction } from '@solana/web3.js'
import type { LooseInstruction } from '../../../guard/index.ts'
import type { SwapFees } from '../dex.ts'

/** The most a transaction may use. */
export const MOST_COMPUTE_UNITS = 1_400_000
/** In percent of what a simulation used: what the chain does meanwhile may take more. */
const MARGIN_PERCENT = 120
const MICRO = 1_000_000n

/** What is asked for where a simulation has used so many. */
export const unitsFor = (used: number): number => Math.min(MOST_COMPUTE_UNITS, Math.ceil((used * MARGIN_PERCENT) / 100))

export interface BudgetRequest {
  readonly units: number
  /** What validators are said to ask of a unit now. */
  readonly priceMicroLamports: bigint
}

/**
 * The only instructions that are added to a swap: how many units it may use, and what is paid for each of them. The price
 * is cut to what the fees of the bot allow, of a unit and of all of them together.
 */
export function computeBudget({ units, priceMicroLamports }: BudgetRequest, fees: SwapFees): readonly LooseInstruction[] {
  const { maxPriorityFeeLamports, maxComputePriceMicroLamports = priceMicroLamports } = fees
  const caps = [priceMicroLamports, maxComputePriceMicroLamports, (maxPriorityFeeLamports * MICRO) / BigInt(units)]
  const microLamports = caps.reduce((least, cap) => (cap < least ? cap : least))
  const limit = ComputeBudgetProgram.setComputeUnitLimit({ units })
  return microLamports === 0n ? [loose(limit)] : [loose(limit), loose(ComputeBudgetProgram.setComputeUnitPrice({ microLamports }))]
}

const loose = ({ programId, data }: TransactionInstruction): LooseInstruction => ({
  program: programId.toBase58(),
  accounts: [],
  data: new Uint8Array(data),
})
