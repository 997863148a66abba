import { formatUsdc, type Usdc } from '../core/usdc.ts'
import type { Strategy } from './define.ts'
import type { GuardConfig } from './guardConfig.ts'
import { modesEnteredBy } from './modesEnteredBy.ts'

/**
 * What a strategy is set to ask for and its bot's guard can never let out, in sentences: it would ask again and again. It is read from the
 * parameters `stake` and `stakes`, of a queue policy `maxStake` too, and, where it may swap, `amount` and `opening`: all of them USDC.
 */
export function overCaps(strategy: Strategy, guard: GuardConfig): string[] {
  const { name, kind, params } = strategy
  const { stake, stakes, maxStake: highest, amount, opening } = (params ?? {}) as Readonly<Record<string, unknown>>
  const staked = largest([stake, kind === 'queue' ? highest : undefined, ...(Array.isArray(stakes) ? stakes : [])])
  const swapped = kind === 'trade' || kind === 'custom' ? largest([amount, opening]) : undefined
  const { maxStake, dailyLoss, maxDrawdown, modeBudgets, strategyBudgets, maxSwap } = guard
  const capsOfStake = {
    ...{ maxStake, dailyLoss, maxDrawdown, [`strategyBudgets.${name}`]: strategyBudgets[name] },
    ...Object.fromEntries(modesEnteredBy(strategy).map((mode) => [`modeBudgets.${mode}`, modeBudgets[mode]])),
  }
  return [
    ...over(staked, capsOfStake).map((caps) => `${name} stakes ${caps}: lower the stake or raise the cap`),
    ...over(swapped, { maxSwap }).map((caps) => `${name} swaps ${caps}: lower the amount or raise the cap`),
  ]
}

/** A budget is looked up by any name a strategy may have, `constructor` among them: what is no amount is no cap. */
const over = (asked: Usdc | undefined, caps: Readonly<Record<string, unknown>>): string[] =>
  Object.entries(caps).flatMap(([field, cap]) =>
    asked === undefined || typeof cap !== 'bigint' || asked <= cap
      ? []
      : `${formatUsdc(asked)} USDC, above this bot's own guard.${field} of ${formatUsdc(cap)}`,
  )

const largest = (values: readonly unknown[]): Usdc | undefined =>
  values.filter((value) => typeof value === 'bigint').toSorted((a, b) => (a < b ? 1 : -1))[0]
