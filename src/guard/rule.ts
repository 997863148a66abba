import type { Usdc } from '../core/usdc.ts'
import type { Action, ActionOf } from '../strategy/action.ts'
import type { Refusal } from './verdict.ts'
import type { GuardView } from './view.ts'

/** One rule: what it refuses, with the numbers; undefined lets the action pass on to the next. */
export type Rule = (action: Action, view: GuardView) => Refusal | undefined

/** The actions that put money in play. */
export type Entry = ActionOf<'enqueue' | 'createContest' | 'joinContest'>

export function isEntry(action: Action): action is Entry {
  return action.type === 'enqueue' || action.type === 'createContest' || action.type === 'joinContest'
}

/** What an action stakes: 0 for one that is no entry, undefined when the contest's stake is not known. */
export function stakeOf(action: Action, view: GuardView): Usdc | undefined {
  if (!isEntry(action)) return 0n
  return action.type === 'joinContest' ? view.joinable(action.contestId)?.stake : action.stake
}

/** A rule for entries alone. The stake is known: `contestKnown` comes first. */
export function entryRule(check: (entry: { action: Entry; stake: Usdc }, view: GuardView) => Refusal | undefined): Rule {
  return (action, view) => {
    if (!isEntry(action)) return undefined
    const stake = stakeOf(action, view)
    return stake === undefined ? undefined : check({ action, stake }, view)
  }
}
