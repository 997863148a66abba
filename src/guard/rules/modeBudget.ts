import { entryRule } from '../rule.ts'
import { overBudget } from './budget.ts'

/** What one mode may cost in a day: lost, in play, reserved and this stake together. */
export const modeBudget = entryRule(({ stake, mode }, view) => {
  const { config, reservations } = view
  const budgets: Readonly<Record<string, bigint>> = config.modeBudgets
  const budget = Object.hasOwn(budgets, mode) ? budgets[mode] : undefined
  if (budget === undefined) return undefined
  const [spent, reserved] = [view.spentByMode(mode), reservations.pendingByMode(mode)]
  return overBudget({ code: 'MODE_BUDGET', field: 'modeBudgets', of: { mode }, budget, spent, reserved, stake })
})
