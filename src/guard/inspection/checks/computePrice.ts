import { refusal } from '../codes.ts'
import { computeBudgetOf } from '../computeBudget.ts'
import type { Check } from './check.ts'

/** What is bid for a place in a block stays under the caps: by unit, and in all. */
export const computePrice: Check = ({ acts, policy: { maxComputePriceMicroLamports, maxPriorityFeeLamports } }) => {
  const { priceMicroLamports, feeLamports, isRepeated } = computeBudgetOf(acts)
  if (isRepeated) return refusal('TX_MALFORMED', 'not a transaction the chain would take: it names its compute budget twice')
  if (priceMicroLamports > maxComputePriceMicroLamports)
    return refusal('TX_COMPUTE_PRICE', `it bids ${priceMicroLamports} micro-lamports a compute unit`, {
      priceMicroLamports,
      maxComputePriceMicroLamports,
    })
  if (feeLamports <= maxPriorityFeeLamports) return undefined
  return refusal('TX_PRIORITY_FEE', `its priority fee is ${feeLamports} lamports`, { feeLamports, maxPriorityFeeLamports })
}
