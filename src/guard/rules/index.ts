import type { Rule } from '../rule.ts'
import { bankroll } from './bankroll.ts'
import { caughtUp } from './caughtUp.ts'
import { chainAllowed } from './chainAllowed.ts'
import { contestKnown } from './contestKnown.ts'
import { contestToken } from './contestToken.ts'
import { coolDown } from './coolDown.ts'
import { draining } from './draining.ts'
import { drawdown } from './drawdown.ts'
import { duplicate } from './duplicate.ts'
import { entriesStopped } from './entriesStopped.ts'
import { feedAlive } from './feedAlive.ts'
import { gas } from './gas.ts'
import { killSwitch } from './killSwitch.ts'
import { limitsKnown } from './limitsKnown.ts'
import { modeAllowed } from './modeAllowed.ts'
import { modeBudget } from './modeBudget.ts'
import { move } from './move.ts'
import { openContests } from './openContests.ts'
import { opponentsAllowed } from './opponentsAllowed.ts'
import { ownDailyLoss } from './ownDailyLoss.ts'
import { ownStakeCap } from './ownStakeCap.ts'
import { playable } from './playable.ts'
import { serviceDailyLoss } from './serviceDailyLoss.ts'
import { serviceStakeCap } from './serviceStakeCap.ts'
import { sibling } from './sibling.ts'
import { side } from './side.ts'
import { stakeValid } from './stakeValid.ts'
import { strategyBudget } from './strategyBudget.ts'

/** Every rule for entries and moves, in the order they are asked: the first refusal stands. */
export const entryAndMoveRules: readonly Rule[] = [
  killSwitch,
  entriesStopped,
  draining,
  caughtUp,
  duplicate,
  contestKnown,
  stakeValid,
  modeAllowed,
  chainAllowed,
  opponentsAllowed,
  limitsKnown,
  feedAlive,
  gas,
  playable,
  contestToken,
  side,
  sibling,
  move,
  ownStakeCap,
  serviceStakeCap,
  openContests,
  coolDown,
  drawdown,
  modeBudget,
  strategyBudget,
  ownDailyLoss,
  serviceDailyLoss,
  bankroll,
]
