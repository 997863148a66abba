import type { Rule } from '../rule.ts'

/** A seat in a contest with sides is asked for by side, and only where that side is free. */
export const side: Rule = (action, view) => {
  if (action.type !== 'joinContest') return undefined
  const contest = view.joinable(action.contestId)
  if (contest === undefined || !contest.sided) return undefined
  if (action.side === undefined) {
    return {
      code: 'SIDE_UNDECIDED',
      message: `contest ${action.contestId} is joined by side, and neither the action nor a predictor named one`,
      numbers: { contestId: action.contestId },
    }
  }
  if (!contest.sidesTaken.includes(action.side)) return undefined
  return {
    code: 'SIDE_TAKEN',
    message: `side ${action.side} of contest ${action.contestId} is taken`,
    numbers: { contestId: action.contestId, side: action.side },
  }
}
