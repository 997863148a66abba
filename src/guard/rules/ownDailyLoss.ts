import { formatUsdc, type Usdc } from '../../core/usdc.ts'
import { entryRule } from '../rule.ts'
import type { Refusal } from '../verdict.ts'
import type { GuardView } from '../view.ts'
import { firstSwapsRisk } from './firstSwaps.ts'

export const ownDailyLoss = entryRule(({ stake, mode }, view) => overOwnDailyLoss({ stake }, view, firstSwapsRisk(view, { mode })))

/**
 * The worst this day can still become, by the bot's own books: all that is in play and reserved lost.
 *
 * @param own what this one adds: an entry its stake, a swap its risk
 * @param firstSwaps what the first swaps of open contests may cost: kept for them
 */
export function overOwnDailyLoss(
  own: { readonly stake: Usdc } | { readonly risk: Usdc },
  view: GuardView,
  firstSwaps: Usdc,
): Refusal | undefined {
  const { lostToday, swapLoss, inPlay, reservations } = view
  const { dailyLoss } = view.config
  // `limitsKnown` has refused what cannot be summed.
  if (inPlay === undefined || swapLoss === undefined) return undefined
  const reserved = reservations.pendingRisk
  const worst = lostToday + swapLoss + inPlay + reserved + firstSwaps + ('stake' in own ? own.stake : own.risk)
  if (worst <= dailyLoss) return undefined
  const kept = firstSwaps === 0n ? '' : `, ${formatUsdc(firstSwaps)} of it by first swaps of guard.maxSwap each`
  return {
    code: 'DAILY_LOSS_OWN',
    message: `the day could end ${formatUsdc(worst)} USDC down${kept}, more than guard.dailyLoss, ${formatUsdc(dailyLoss)} USDC`,
    numbers: { lostToday, swapLoss, inPlay, reserved, firstSwaps, ...own, worst, dailyLoss },
  }
}
