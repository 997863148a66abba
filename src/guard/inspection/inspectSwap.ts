import { firstRefusal } from './checks/check.ts'
import { CHECKS } from './checks/index.ts'
import type { InspectionRefusal } from './codes.ts'
import { type Inspected, readTransaction } from './readTransaction.ts'
import type { InspectionPolicy, LookupTables, SwapTerms } from './terms.ts'

export type InspectionResult =
  | { readonly ok: true; readonly facts: Inspected }
  /** `facts` is undefined for bytes that are no transaction. */
  | { readonly ok: false; readonly refusal: InspectionRefusal; readonly facts: Inspected | undefined }

/**
 * Whether an unsigned transaction does what the bot wants, and nothing else of the agent's moves. Whatever the bytes are,
 * it ends in a result and never throws. What they cannot show (which pools the swap goes through, what a mint keeps back as a
 * fee, what a program that the user let in does) is left to `checkSimulation`.
 *
 * @example
 * const result = inspectSwap(bytes, terms, { policy, tables: undefined })
 * if (!result.ok) log.warn(result.refusal)
 */
export function inspectSwap(
  transaction: Uint8Array,
  terms: SwapTerms,
  { policy, tables }: { readonly policy: InspectionPolicy; readonly tables: LookupTables },
): InspectionResult {
  const reading = readTransaction(transaction, tables, policy.programs)
  if ('code' in reading) return { ok: false, refusal: reading, facts: undefined }
  const { message, acts, facts } = reading
  const refusal = firstRefusal(CHECKS, (check) => check({ message, acts, terms, policy }))
  return refusal === undefined ? { ok: true, facts } : { ok: false, refusal, facts }
}
