import { isNamedOwnAccount, isOwnAccount } from '../ownAccounts.ts'
import type { Subject } from './check.ts'

/**
 * Accounts that a route goes through, each with its token program: the agent's own, of neither of the two tokens, which the
 * transaction opens at the agent's expense. That each is closed again `accountLives` sees to.
 */
export function hopAccountsOf({ acts, terms: { wallet, from, to } }: Subject): ReadonlyMap<string, string> {
  const hops = new Map<string, string>()
  for (const act of acts) {
    if (act.kind !== 'open' || act.payer !== wallet) continue
    const { account, mint, tokenProgram } = act
    if (account === undefined || mint === undefined || tokenProgram === undefined) continue
    const isOfEither = [from, to].some((token) => isOwnAccount(account, wallet, token))
    if (!isOfEither && isNamedOwnAccount(account, wallet, { mint, tokenProgram })) hops.set(account, tokenProgram)
  }
  return hops
}
