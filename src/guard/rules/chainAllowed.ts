import type { Entry } from '../rule.ts'
import { entryRule } from '../rule.ts'
import type { GuardView } from '../view.ts'

/** What the service takes where no chain is named. */
const DEFAULT_CHAIN = 'solana'

export const chainAllowed = entryRule(({ action }, view) => {
  const chains: readonly string[] = view.config.chains
  const chain = chainOf(action, view) ?? DEFAULT_CHAIN
  if (chains.includes(chain)) return undefined
  return { code: 'CHAIN_NOT_ALLOWED', message: `${chain} is not among guard.chains`, numbers: { chain, allowed: chains.join(', ') } }
})

const chainOf = (action: Entry, view: GuardView) => (action.type === 'joinContest' ? view.joinable(action.contestId)?.chain : action.chain)
