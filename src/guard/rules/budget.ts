import { formatUsdc, type Usdc } from '../../core/usdc.ts'
import type { Refusal } from '../verdict.ts'

/** What may be spent in a day, and what may already be: lost or in play, approved without an outcome, and this stake. */
interface Budget {
  readonly code: Refusal['code']
  /** The field of the config that names it. */
  readonly field: string
  /** What it is the budget of, as the numbers call it. */
  readonly of: { readonly mode: string } | { readonly strategy: string }
  readonly budget: Usdc
  readonly spent: Usdc
  readonly reserved: Usdc
  readonly stake: Usdc
}

/** Refuses what could take the day over a budget. */
export function overBudget({ code, field, of, budget, spent, reserved, stake }: Budget): Refusal | undefined {
  const worst = spent + reserved + stake
  if (worst <= budget) return undefined
  const [name] = Object.values(of)
  return {
    code,
    message: `${name} could cost ${formatUsdc(worst)} USDC today, more than its budget in guard.${field}, ${formatUsdc(budget)} USDC`,
    numbers: { ...of, spent, reserved, stake, worst, budget },
  }
}
