import type { Entry } from '../rule.ts'
import { entryRule } from '../rule.ts'
import type { GuardView } from '../view.ts'

/** Who is named nowhere may be anybody: it needs ANY in the list, not both kinds. */
export const opponentsAllowed = entryRule(({ action }, view) => {
  const allowed: readonly string[] = view.config.opponents
  const opponents = opponentsOf(action, view) ?? 'ANY'
  if (allowed.includes(opponents)) return undefined
  return {
    code: 'OPPONENTS_NOT_ALLOWED',
    message: `opponents ${opponents} are not among guard.opponents`,
    numbers: { opponents, allowed: allowed.join(', ') },
  }
})

const opponentsOf = (action: Entry, view: GuardView) =>
  action.type === 'joinContest' ? view.joinable(action.contestId)?.opponents : action.opponents
