import { formatUsdc, type Usdc } from '../../core/usdc.ts'
import type { GuardConfig } from '../../strategy/guardConfig.ts'
import { entryRule } from '../rule.ts'

/** Without `guard.dailyStaked`: the smaller of so many times `dailyLoss`, and of the bankroll at the day's start. */
const TIMES_DAILY_LOSS = 100n
const TIMES_BANKROLL = 2n

/** The most that may be staked in 24 hours, net of payouts that the bankroll has shown. */
export function dailyStakedCap(config: GuardConfig, dayStartBankroll: Usdc | undefined): Usdc {
  if (config.dailyStaked !== undefined) return config.dailyStaked
  const byLoss = TIMES_DAILY_LOSS * config.dailyLoss
  const byBankroll = dayStartBankroll === undefined ? byLoss : TIMES_BANKROLL * dayStartBankroll
  return byBankroll < byLoss ? byBankroll : byLoss
}

export const dailyStaked = entryRule(({ stake }, { config, stakedInDay, dayStartBankroll }) => {
  const cap = dailyStakedCap(config, dayStartBankroll)
  const staked = stakedInDay + stake
  if (staked <= cap) return undefined
  return {
    code: 'DAILY_STAKED',
    message: `${formatUsdc(staked)} USDC would be staked in 24 hours and not seen to return, more than guard.dailyStaked, ${formatUsdc(cap)} USDC`,
    numbers: { stakedInDay, stake, dailyStaked: cap },
  }
})
