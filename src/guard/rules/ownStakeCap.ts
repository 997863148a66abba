import { formatUsdc } from '../../core/usdc.ts'
import { entryRule } from '../rule.ts'

export const ownStakeCap = entryRule(({ stake }, { config: { maxStake } }) => {
  if (stake <= maxStake) return undefined
  return {
    code: 'STAKE_OVER_OWN_CAP',
    message: `a stake of ${formatUsdc(stake)} USDC is above guard.maxStake, ${formatUsdc(maxStake)} USDC`,
    numbers: { stake, maxStake },
  }
})
