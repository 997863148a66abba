import type { Rule } from '../rule.ts'
import { bankroll } from './bankroll.ts'
import { caughtUp } from './caughtUp.ts'
import { chainAllowed } from './chainAllowed.ts'
import { chainShort } from './chainShort.ts'
import { clocksAgree } from './clocksAgree.ts'
import { contestKnown } from './contestKnown.ts'
import { contestToken } from './contestToken.ts'
import { coolDown } from './coolDown.ts'
import { dailyStaked } from './dailyStaked.ts'
import { draining } from './draining.ts'
import { drawdown } from './drawdown.ts'
import { duplicate } from './duplicate.ts'
import { entriesPerMinute } from './entriesPerMinute.ts'
import { entriesStopped } from './entriesStopped.ts'
import { feedAlive } from './feedAlive.ts'
import { firstSwaps } from './firstSwaps.ts'
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
import { unexplainedFall } from './unexplainedFall.ts'

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
  clocksAgree,
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
  firstSwaps,
  coolDown,
  drawdown,
  modeBudget,
  strategyBudget,
  unexplainedFall,
  chainShort,
  dailyStaked,
  entriesPerMinute,
  ownDailyLoss,
  serviceDailyLoss,
  bankroll,
]
