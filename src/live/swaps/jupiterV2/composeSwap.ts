import { inspectInstructions, MOST_BYTES, type Refusal, type SwapTerms } from '../../../guard/index.ts'
import { composeTransaction } from '../composing/composeTransaction.ts'
import { computeBudget } from '../composing/computeBudget.ts'
import type { SwapFees } from '../dex.ts'
import type { LookupTables } from '../lookupTables.ts'
import type { Build } from './readBuild.ts'

export interface SwapComposition {
  readonly build: Build
  readonly terms: SwapTerms
  readonly fees: SwapFees
  /** Compute units to ask for. */
  readonly units: number
  /** Contents of lookup tables as the chain has them; empty where none may be used. */
  readonly tables: LookupTables
}

export type ComposedSwap =
  /** Base64. */
  { readonly ok: true; readonly transaction: string } | { readonly ok: false; readonly refusal: Refusal }

/** Makes the transaction of a swap out of Jupiter's instructions, after each of them has been looked into. */
export function composeSwap({ build, terms, fees, units, tables }: SwapComposition): ComposedSwap {
  const { blockhash, priceMicroLamports } = build
  const instructions = [...computeBudget({ units, priceMicroLamports }, fees), ...build.instructions]
  const { programs = {}, maxPriorityFeeLamports, maxComputePriceMicroLamports = priceMicroLamports } = fees
  const policy = { programs, maxPriorityFeeLamports, maxComputePriceMicroLamports, unresolvedTables: 'refuse' as const }
  const refused = inspectInstructions(instructions, terms, policy)
  if (refused !== undefined) return { ok: false, refusal: refused }
  const composed = composeTransaction({ payer: terms.wallet, blockhash, instructions, tables })
  if (composed.ok) return { ok: true, transaction: Buffer.from(composed.transaction).toString('base64') }
  const { bytes } = composed
  const how = tables.size === 0 ? 'without lookup tables' : `with ${tables.size} lookup tables`
  const message = `composed ${how} the transaction has ${bytes} bytes, and ${MOST_BYTES} is the most`
  return { ok: false, refusal: { code: 'TX_TOO_LARGE', message, numbers: { bytes, maxBytes: MOST_BYTES } } }
}
