import { refusal } from '../codes.ts'
import { isOwnAccount } from '../ownAccounts.ts'
import { actsOf, type Check, type Subject } from './check.ts'
import { givenIn, isOfOthers } from './tokenTransfers.ts'

/** Whether it is an exchange without a swap program: something is given, and something comes in by a co-signer's own transfer. */
export function isExchange(subject: Subject): boolean {
  return actsOf(subject, 'swap').length === 0 && givenIn(subject).length > 0 && receivedIn(subject).length > 0
}

/**
 * In an exchange at least the minimum comes in: both transfers happen or neither. What a mint of Token-2022 with a transfer
 * fee keeps back is not in the bytes; such a mint delivers less than is sent, and only the simulation shows how much.
 */
export const transferPair: Check = (subject) => {
  if (!isExchange(subject)) return undefined
  const { minOut } = subject.terms
  const sum = receivedIn(subject).reduce((total, { amount }) => total + amount, 0n)
  return sum >= minOut ? undefined : refusal('TX_SWAP_MIN_OUT', `${sum} comes in, and ${minOut} must`, { sum, minOut })
}

/** Into the agent's own account, signed for by another whose signature is looked at as well. `tokenTransfers` has seen to it that it is not the agent's before. */
function receivedIn(subject: Subject) {
  const { wallet, to } = subject.terms
  return actsOf(subject, 'tokens').filter(
    (transfer) => transfer.to !== undefined && isOwnAccount(transfer.to, wallet, to) && isOfOthers(transfer, subject),
  )
}
