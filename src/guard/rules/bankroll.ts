import { formatUsdc } from '../../core/usdc.ts'
import { entryRule } from '../rule.ts'

export const bankroll = entryRule(({ stake }, { available, reservations }) => {
  if (available === undefined) return undefined
  const reserved = reservations.unseenSpend
  const free = available.value - reserved
  if (stake <= free) return undefined
  return {
    code: 'BANKROLL',
    message: `a stake of ${formatUsdc(stake)} USDC is more than the ${formatUsdc(free)} USDC that are free`,
    numbers: { stake, available: available.value, reserved },
  }
})
