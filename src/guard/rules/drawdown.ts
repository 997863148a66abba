import { formatUsdc } from '../../core/usdc.ts'
import { entryRule } from '../rule.ts'

/** How far the profit may fall below its peak, with all that is in play and reserved lost. */
export const drawdown = entryRule(({ stake }, { config, drawdown: fallen, inPlay, reservations }) => {
  // `limitsKnown` has refused what cannot be summed.
  if (config.maxDrawdown === undefined || inPlay === undefined) return undefined
  const reserved = reservations.pendingRisk
  const worst = fallen + inPlay + reserved + stake
  if (worst <= config.maxDrawdown) return undefined
  return {
    code: 'DRAWDOWN_STOP',
    message: `profit could fall ${formatUsdc(worst)} USDC below its peak, more than guard.maxDrawdown, ${formatUsdc(config.maxDrawdown)} USDC`,
    numbers: { drawdown: fallen, inPlay, reserved, stake, worst, maxDrawdown: config.maxDrawdown },
  }
})
