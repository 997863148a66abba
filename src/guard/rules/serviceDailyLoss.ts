import { formatUsdc } from '../../core/usdc.ts'
import { entryRule } from '../rule.ts'

/** The same by the service's figures, with what they cannot show yet added. */
export const serviceDailyLoss = entryRule(({ stake }, { limits, reservations }) => {
  if (limits === undefined) return undefined
  const { lostToday, inPlay, dailyLossCap } = limits.value
  const reserved = reservations.unseenStake
  const worst = lostToday + inPlay + reserved + stake
  if (worst <= dailyLossCap) return undefined
  return {
    code: 'DAILY_LOSS_SERVICE',
    message: `the day could end ${formatUsdc(worst)} USDC down, more than the service's cap, ${formatUsdc(dailyLossCap)} USDC`,
    numbers: { lostToday, inPlay, reserved, stake, worst, dailyLossCap },
  }
})
