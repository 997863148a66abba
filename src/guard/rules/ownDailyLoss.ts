import { formatUsdc } from '../../core/usdc.ts'
import { entryRule } from '../rule.ts'

/** The worst this day can still become, by the bot's own books: all that is in play and reserved lost. */
export const ownDailyLoss = entryRule(({ stake }, { config, lostToday, inPlay, reservations }) => {
  // `limitsKnown` has refused what cannot be summed.
  if (inPlay === undefined) return undefined
  const reserved = reservations.pendingStake
  const worst = lostToday + inPlay + reserved + stake
  if (worst <= config.dailyLoss) return undefined
  return {
    code: 'DAILY_LOSS_OWN',
    message: `the day could end ${formatUsdc(worst)} USDC down, more than guard.dailyLoss, ${formatUsdc(config.dailyLoss)} USDC`,
    numbers: { lostToday, inPlay, reserved, stake, worst, dailyLoss: config.dailyLoss },
  }
})
