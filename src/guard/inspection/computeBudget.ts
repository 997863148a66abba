import { ceilDivide } from '../../core/ceilDivide.ts'
import type { Act } from './checks/check.ts'
import { COMPUTE_BUDGET_PROGRAM, SYSTEM_PROGRAM } from './programs/index.ts'

export interface ComputeBudget {
  /** For a compute unit. */
  readonly priceMicroLamports: bigint
  /** As asked for. */
  readonly unitLimit: number | undefined
  /** What is paid above the fee for signatures, rounded up. */
  readonly feeLamports: bigint
  /** Whether the price or the limit is named twice: the chain takes neither then. */
  readonly isRepeated: boolean
}

const MICRO = 1_000_000n
const MOST_UNITS = 1_400_000
const UNITS_OF_BUILTIN = 3_000
const UNITS_OF_OTHER = 200_000
const BUILTINS: readonly string[] = [SYSTEM_PROGRAM, COMPUTE_BUDGET_PROGRAM]

export function computeBudgetOf(acts: readonly Act[]): ComputeBudget {
  const prices = acts.flatMap((act) => (act.kind === 'computePrice' ? [act.microLamports] : []))
  const limits = acts.flatMap((act) => (act.kind === 'computeLimit' ? [act.units] : []))
  const [priceMicroLamports = 0n] = prices
  const [unitLimit] = limits
  const units = BigInt(Math.min(unitLimit ?? unitsUnasked(acts), MOST_UNITS))
  return {
    priceMicroLamports,
    unitLimit,
    feeLamports: ceilDivide(priceMicroLamports * units, MICRO),
    isRepeated: prices.length > 1 || limits.length > 1,
  }
}

/** The units of a transaction that asks for none, by instruction: SIMD-0170. */
function unitsUnasked(acts: readonly Act[]): number {
  return acts.reduce((sum, { program }) => sum + (BUILTINS.includes(program) ? UNITS_OF_BUILTIN : UNITS_OF_OTHER), 0)
}
