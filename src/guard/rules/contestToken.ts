import { isTradingMode } from '../../contract/modes.ts'
import { entryRule } from '../rule.ts'
import { tokenUnknown } from './swaps/tokensKnown.ts'
import { transferRefused } from './swaps/transferTerms.ts'

/** No stake on swaps of a token that is not swapped. Which token a ticket will be about nobody can say before it is seated. */
export const contestToken = entryRule(({ action, mode }, view) => {
  if (action.type !== 'joinContest' || !isTradingMode(mode)) return undefined
  const token = view.joinable(action.contestId)?.token
  return token === undefined ? undefined : (tokenUnknown(token, view) ?? transferRefused(token, view))
})
