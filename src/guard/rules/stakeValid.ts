import { entryRule } from '../rule.ts'

export const stakeValid = entryRule(({ stake }) =>
  stake > 0n ? undefined : { code: 'STAKE_INVALID', message: `a stake is above 0 micro-USDC, this one is ${stake}`, numbers: { stake } },
)
