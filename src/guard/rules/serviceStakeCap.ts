import { formatUsdc } from '../../core/usdc.ts'
import { entryRule } from '../rule.ts'

export const serviceStakeCap = entryRule(({ stake }, { limits }) => {
  if (limits === undefined || stake <= limits.value.maxStake) return undefined
  const { maxStake } = limits.value
  return {
    code: 'STAKE_OVER_SERVICE_CAP',
    message: `a stake of ${formatUsdc(stake)} USDC is above the service's cap for this agent, ${formatUsdc(maxStake)} USDC`,
    numbers: { stake, maxStake },
  }
})
