import { afterTransferFee } from '../../core/tokenFacts.ts'
import { type Mint, SOL_MINT } from '../../core/tokens.ts'
import { type InspectionRefusal, refusal } from './codes.ts'
import type { SwapTerms } from './terms.ts'

/** What a simulation says the transaction would change of the agent's, in base units. */
export interface SimulatedChanges {
  /** The chain's error; undefined when it would go through. */
  readonly error: string | undefined
  /** Of the agent's token accounts together, by mint; wrapped SOL under `SOL_MINT`, without the rent its account holds. */
  readonly changes: readonly { readonly mint: Mint; readonly delta: bigint }[]
  /** Of the wallet itself, with fee and rent gone from it. */
  readonly lamports: bigint
  /** Rent that went into accounts of the agent's that were opened, less what came back from those closed. */
  readonly rentLamports: bigint
  /** Signatures and priority. */
  readonly feeLamports: bigint
  /** Compute units that it took; undefined where the node does not say. */
  readonly unitsConsumed?: number | undefined
}

/**
 * Whether the changes are those of the swap: at most the amount goes, at least the minimum comes, and nothing else of the
 * agent's goes. SOL and wrapped SOL count as one, before fee and rent. What comes in besides is let pass: it costs nothing.
 *
 * @example
 * const refused = checkSimulation({ error: undefined, changes, lamports: -7_000n, rentLamports: 0n, feeLamports: 7_000n }, terms)
 */
export function checkSimulation(simulated: SimulatedChanges, terms: SwapTerms): InspectionRefusal | undefined {
  const { error } = simulated
  if (error !== undefined) return refusal('SIMULATION_FAILED', `the chain would not execute it: ${error}`, { error })
  const moved = movedOf(simulated)
  for (const mint of new Set([terms.from, terms.to, ...moved.keys()])) {
    const delta = moved.get(mint) ?? 0n
    const least = leastOf(mint, terms)
    if (delta < least)
      return refusal('SIMULATION_MISMATCH', `${mint} would change by ${delta}, and by no less than ${least} should`, { mint, delta, least })
  }
  return undefined
}

function movedOf({ changes, lamports, rentLamports, feeLamports }: SimulatedChanges): ReadonlyMap<Mint, bigint> {
  const moved = new Map<Mint, bigint>([[SOL_MINT, lamports + feeLamports + rentLamports]])
  for (const { mint, delta } of changes) moved.set(mint, (moved.get(mint) ?? 0n) + delta)
  return moved
}

function leastOf(mint: Mint, { from, to, amount, minOut, transferFee }: SwapTerms): bigint {
  if (mint === to) return afterTransferFee(minOut, transferFee)
  return mint === from ? -amount : 0n
}
