import { SOL_MINT } from '../../../core/tokens.ts'
import { type InspectionRefusal, refusal, unresolved } from '../codes.ts'
import { isOwnAccount, isTemporaryAccount } from '../ownAccounts.ts'
import { type Act, actsOf, type Check, firstRefusal, type Subject } from './check.ts'
import { hopAccountsOf } from './hopAccounts.ts'

/** The agent pays rent for its own accounts: of the two tokens, and of a hop between them, which `accountLives` sees closed again. */
export const openedAccounts: Check = (subject) =>
  firstRefusal(actsOf(subject, 'open'), (open) => associated(open, subject)) ??
  firstRefusal(actsOf(subject, 'openTemporary'), (open) => temporary(open, subject))

function associated({ account, payer, owner }: Extract<Act, { kind: 'open' }>, subject: Subject): InspectionRefusal | undefined {
  const { wallet, from, to } = subject.terms
  if (payer !== undefined && payer !== wallet) return undefined
  if (account === undefined) return unresolved('the token account to be opened')
  const isOfAgent = owner === undefined || owner === wallet
  const isOwn = [from, to].some((mint) => isOwnAccount(account, wallet, mint)) || hopAccountsOf(subject).has(account)
  if (isOfAgent && isOwn) return undefined
  return refusal('TX_ACCOUNT_OPENED', `it opens ${account}, which is the agent's account neither of the two tokens nor of a hop`, {
    account,
    owner: owner ?? 'unread',
  })
}

/**
 * Jupiter sometimes wraps and unwraps in an account that lives for one transaction (three of the real swaps in the data). It
 * is let through where it belongs to the agent by its address; that it is closed again `accountLives` sees to. What the System program makes
 * under a seed is not: no swap of Jupiter's in the data needs it, and the address would not say whose it is.
 */
function temporary({ account }: Extract<Act, { kind: 'openTemporary' }>, { terms }: Subject): InspectionRefusal | undefined {
  const { wallet, from, to } = terms
  if (account === undefined) return unresolved('the temporary token account')
  if (isTemporaryAccount(account, wallet) && [from, to].includes(SOL_MINT)) return undefined
  return refusal('TX_ACCOUNT_OPENED', `${account} is no temporary account of the agent's for this swap`, { account })
}
