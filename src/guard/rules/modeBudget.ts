import { formatUsdc } from '../../core/usdc.ts'
import { entryRule } from '../rule.ts'

/** What one mode may cost in a day: lost, in play, reserved and this stake together. */
export const modeBudget = entryRule(({ stake, mode }, view) => {
  const { config, reservations } = view
  const budgets: Readonly<Record<string, bigint>> = config.modeBudgets
  const budget = Object.hasOwn(budgets, mode) ? budgets[mode] : undefined
  if (budget === undefined) return undefined
  const spent = view.spentByMode(mode)
  const reserved = reservations.pendingByMode(mode)
  const worst = spent + reserved + stake
  if (worst <= budget) return undefined
  return {
    code: 'MODE_BUDGET',
    message: `${mode} could cost ${formatUsdc(worst)} USDC today, more than its budget in guard.modeBudgets, ${formatUsdc(budget)} USDC`,
    numbers: { mode, spent, reserved, stake, worst, budget },
  }
})
