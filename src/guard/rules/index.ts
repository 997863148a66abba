import type { Rule } from '../rule.ts'
import { bankroll } from './bankroll.ts'
import { caughtUp } from './caughtUp.ts'
import { contestKnown } from './contestKnown.ts'
import { draining } from './draining.ts'
import { duplicate } from './duplicate.ts'
import { limitsKnown } from './limitsKnown.ts'
import { move } from './move.ts'
import { openContests } from './openContests.ts'
import { ownDailyLoss } from './ownDailyLoss.ts'
import { ownStakeCap } from './ownStakeCap.ts'
import { serviceDailyLoss } from './serviceDailyLoss.ts'
import { serviceStakeCap } from './serviceStakeCap.ts'
import { sibling } from './sibling.ts'
import { side } from './side.ts'
import { stakeValid } from './stakeValid.ts'

/** Every rule, in the order they are asked: the first refusal stands. */
export const rules: readonly Rule[] = [
  draining,
  caughtUp,
  duplicate,
  contestKnown,
  stakeValid,
  limitsKnown,
  side,
  sibling,
  move,
  ownStakeCap,
  serviceStakeCap,
  openContests,
  ownDailyLoss,
  serviceDailyLoss,
  bankroll,
]
