import type { Usdc } from '../core/usdc.ts'
import type { Action, ActionOf, ServiceAction, SwapAction } from '../strategy/action.ts'
import type { SwapQuote } from './swapQuote.ts'
import type { Refusal } from './verdict.ts'
import type { GuardView } from './view.ts'

/** One rule: what it refuses, with the numbers; undefined lets the action pass on to the next. */
export type Rule<A extends Action = ServiceAction> = (action: A, view: GuardView) => Refusal | undefined

/** A rule for swaps and sweeps, before anything is asked of the DEX. */
export type SwapRule = Rule<SwapAction>

/** A rule on what the DEX offers for a swap. */
export type QuoteRule = (offer: { readonly action: SwapAction; readonly quote: SwapQuote }, view: GuardView) => Refusal | undefined

/** The first refusal of rules that are asked in turn. */
export function firstRefusal<T>(
  rules: readonly ((subject: T, view: GuardView) => Refusal | undefined)[],
  subject: T,
  view: GuardView,
): Refusal | undefined {
  for (const rule of rules) {
    const refusal = rule(subject, view)
    if (refusal !== undefined) return refusal
  }
  return undefined
}

/** The actions that put money in play. */
export type Entry = ActionOf<'enqueue' | 'createContest' | 'joinContest'>

export function isEntry(action: Action): action is Entry {
  return action.type === 'enqueue' || action.type === 'createContest' || action.type === 'joinContest'
}

/** What an entry stakes and plays; undefined when the contest to join is not known. */
export function entryTerms(action: Entry, view: GuardView): { readonly stake: Usdc; readonly mode: string } | undefined {
  return action.type === 'joinContest' ? view.joinable(action.contestId) : action
}

/** A rule for entries alone. Stake and mode are known: `contestKnown` comes first. */
export function entryRule(
  check: (entry: { readonly action: Entry; readonly stake: Usdc; readonly mode: string }, view: GuardView) => Refusal | undefined,
): Rule {
  return (action, view) => {
    if (!isEntry(action)) return undefined
    const terms = entryTerms(action, view)
    return terms === undefined ? undefined : check({ action, stake: terms.stake, mode: terms.mode }, view)
  }
}
