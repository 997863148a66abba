import { type Action, isSwap } from '../../strategy/action.ts'
import { isEntry, type Rule } from '../rule.ts'
import type { Refusal } from '../verdict.ts'
import type { GuardView } from '../view.ts'

/**
 * Nothing that puts money in play. Picks, commitments, reveals, cancels and leaves go on: held back, they would lose
 * what is in play already.
 */
export const killSwitch: Rule<Action> = (action, view) => {
  const moves = isEntry(action) || isSwap(action) || (action.type === 'ready' && action.ready)
  return moves ? killed(view) : undefined
}

export function killed(view: GuardView): Refusal | undefined {
  return view.stopped === 'all'
    ? { code: 'KILL_SWITCH', message: 'the operator has stopped this bot: it enters nothing and swaps nothing', numbers: {} }
    : undefined
}
