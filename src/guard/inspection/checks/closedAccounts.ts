import { SOL_MINT } from '../../../core/tokens.ts'
import { refusal, unresolved } from '../codes.ts'
import { isOwnAccount, isTemporaryAccount } from '../ownAccounts.ts'
import { actsOf, type Check, firstRefusal } from './check.ts'

/** The agent closes its own account of wrapped SOL, to itself, and no other. */
export const closedAccounts: Check = (subject) => {
  const { wallet } = subject.terms
  const closed = actsOf(subject, 'close').filter(({ authorities }) => authorities.includes(wallet))
  return firstRefusal(closed, ({ account, to }) => {
    if (account === undefined || to === undefined) return unresolved('the account to be closed, or its receiver,')
    const isUnwrap = to === wallet && (isOwnAccount(account, wallet, SOL_MINT) || isTemporaryAccount(account, wallet))
    return isUnwrap ? undefined : refusal('TX_ACCOUNT_CLOSED', `it closes ${account} to ${to}`, { account, to })
  })
}
