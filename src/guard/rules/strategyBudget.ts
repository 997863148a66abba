import { entryRule } from '../rule.ts'
import { overBudget } from './budget.ts'

/** What the entries of one strategy may cost in a day: lost, in play, reserved and this stake together. */
export const strategyBudget = entryRule(({ stake }, view) => {
  const { by, config, reservations } = view
  const budget = Object.hasOwn(config.strategyBudgets, by) ? config.strategyBudgets[by] : undefined
  if (budget === undefined) return undefined
  const [spent, reserved] = [view.spentByStrategy(by), reservations.pendingByStrategy(by)]
  return overBudget({ code: 'STRATEGY_BUDGET', field: 'strategyBudgets', of: { strategy: by }, budget, spent, reserved, stake })
})
