import { SOL_MINT } from '../../../core/tokens.ts'
import { refusal, unresolved } from '../codes.ts'
import { isOwnAccount, isTemporaryAccount } from '../ownAccounts.ts'
import { actsOf, type Check, firstRefusal } from './check.ts'
import { hopAccountsOf } from './hopAccounts.ts'

/**
 * The agent closes its own account of wrapped SOL, and what it opened for a hop, to itself, and no other. Nobody else closes one
 * of these, nor one of the two tokens.
 */
export const closedAccounts: Check = (subject) => {
  const { wallet, from, to: wanted } = subject.terms
  const hops = hopAccountsOf(subject)
  const isWrapped = (account: string) => isOwnAccount(account, wallet, SOL_MINT) || isTemporaryAccount(account, wallet) || hops.has(account)
  const isOwn = (account: string) => isWrapped(account) || [from, wanted].some((mint) => isOwnAccount(account, wallet, mint))
  const closed = actsOf(subject, 'close').filter(
    ({ account, authorities }) => authorities.includes(wallet) || (account !== undefined && isOwn(account)),
  )
  return firstRefusal(closed, ({ account, to, authorities: [authority] }) => {
    if (account === undefined || to === undefined) return unresolved('the account to be closed, or its receiver,')
    if (to === wallet && authority === wallet && isWrapped(account)) return undefined
    const numbers = { account, to, authority: authority ?? 'unread' }
    return refusal('TX_ACCOUNT_CLOSED', `it closes ${account} to ${to}, signed for by ${numbers.authority}`, numbers)
  })
}
