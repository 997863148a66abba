import { refusal, unresolved } from '../codes.ts'
import { isOwnAccount } from '../ownAccounts.ts'
import { actsOf, type Check, firstRefusal, type Subject } from './check.ts'

/**
 * What leaves the agent outside of a swap instruction: what it signs away, and what leaves its own accounts of the two tokens
 * under another's signature, as a mint's permanent delegate may take it.
 */
export function givenIn(subject: Subject) {
  const { wallet, from, to } = subject.terms
  return actsOf(subject, 'tokens').filter(
    ({ from: account, authorities }) =>
      authorities.includes(wallet) || (account !== undefined && [from, to].some((mint) => isOwnAccount(account, wallet, mint))),
  )
}

/**
 * What leaves is of the token given, and no more than the bot wants to give. Beside a swap instruction, which takes what it
 * needs under the same signature, it is nothing at all.
 */
export const tokenTransfers: Check = (subject) => {
  const { wallet, from, amount } = subject.terms
  const given = givenIn(subject)
  const hasSwap = actsOf(subject, 'swap').length > 0
  const refused = firstRefusal(given, (transfer) => {
    if (transfer.from === undefined) return unresolved('the account tokens leave')
    const numbers = { from: transfer.from, amount: transfer.amount }
    if (hasSwap) return refusal('TX_TOKEN_TRANSFER', 'it moves tokens of the agent beside the swap', numbers)
    if (isOwnAccount(transfer.from, wallet, from)) return undefined
    return refusal('TX_TOKEN_TRANSFER', `it moves tokens out of ${transfer.from}`, numbers)
  })
  if (refused !== undefined) return refused
  const sum = given.reduce((total, transfer) => total + transfer.amount, 0n)
  return sum <= amount ? undefined : refusal('TX_TOKEN_TRANSFER', `it moves ${sum} to give ${amount}`, { sum, amount })
}
