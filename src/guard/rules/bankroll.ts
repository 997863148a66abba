import { formatUsdc } from '../../core/usdc.ts'
import { entryRule } from '../rule.ts'
import { firstSwapOf } from './firstSwaps.ts'

export const bankroll = entryRule(({ stake, mode }, { available, reservations }) => {
  if (available === undefined) return undefined
  const reserved = reservations.unseenSpend
  const free = available.value - reserved
  const firstSwap = firstSwapOf(mode)
  if (stake + firstSwap <= free) return undefined
  return {
    code: 'BANKROLL',
    message: `a stake of ${formatUsdc(stake)} USDC${firstSwap === 0n ? '' : ` and a first swap of ${formatUsdc(firstSwap)} USDC`} is more than the ${formatUsdc(free)} USDC that are free`,
    numbers: { stake, firstSwap, available: available.value, reserved },
  }
})
