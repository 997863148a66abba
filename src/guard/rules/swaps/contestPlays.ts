import { isTradingMode } from '../../../contract/enums.ts'
import type { SwapRule } from '../../rule.ts'

/** A swap is of a live contest of this bot's that is played by swaps; a sweep of one that is over. */
export const contestPlays: SwapRule = ({ type, contestId }, view) => {
  const contest = view.traded(contestId)
  if (contest === undefined) {
    return { code: 'NOT_IN_CONTEST', message: `this bot has no seat in contest ${contestId}`, numbers: { contestId } }
  }
  const { mode, phase } = contest
  const isOver = phase === 'settled' || phase === 'cancelled'
  if (type === 'sweep') {
    return isOver
      ? undefined
      : { code: 'CONTEST_NOT_OVER', message: `contest ${contestId} is ${phase}: swap in it instead`, numbers: { contestId, phase } }
  }
  if (!isTradingMode(mode)) {
    return {
      code: 'MODE_WITHOUT_SWAPS',
      message: `contest ${contestId} is ${mode}, which no swap counts for`,
      numbers: { contestId, mode },
    }
  }
  if (phase === 'live') return undefined
  return {
    code: 'CONTEST_NOT_LIVE',
    message: `contest ${contestId} is ${phase}: swaps count while it is live`,
    numbers: { contestId, phase },
  }
}
