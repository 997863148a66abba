import { formatUsdc } from '../../core/usdc.ts'
import { entryRule } from '../rule.ts'

/** What the entries of one strategy may cost in a day: lost, in play, reserved and this stake together. */
export const strategyBudget = entryRule(({ stake }, view) => {
  const { by, config, reservations } = view
  const budget = Object.hasOwn(config.strategyBudgets, by) ? config.strategyBudgets[by] : undefined
  if (budget === undefined) return undefined
  const spent = view.spentByStrategy(by)
  const reserved = reservations.pendingByStrategy(by)
  const worst = spent + reserved + stake
  if (worst <= budget) return undefined
  return {
    code: 'STRATEGY_BUDGET',
    message: `${by} could cost ${formatUsdc(worst)} USDC today, more than its budget in guard.strategyBudgets, ${formatUsdc(budget)} USDC`,
    numbers: { strategy: by, spent, reserved, stake, worst, budget },
  }
})
