import { TOKEN_PROGRAM_ID } from '../../../core/tokenProgram.ts'
import { type InspectionRefusal, refusal, unresolved } from '../codes.ts'
import { isOwnAccount } from '../ownAccounts.ts'
import { type Act, actsOf, type Check, firstRefusal, type Subject } from './check.ts'
import { hopAccountsOf } from './hopAccounts.ts'

type Transfer = Extract<Act, { readonly kind: 'tokens' }>

/**
 * What leaves the agent outside of a swap instruction: what it signs away, and what leaves its own accounts of the two tokens
 * and of a hop under another's signature, as a mint's permanent delegate may take it.
 */
export function givenIn(subject: Subject): readonly Transfer[] {
  const { wallet, from, to } = subject.terms
  const hops = hopAccountsOf(subject)
  return actsOf(subject, 'tokens').filter(
    ({ from: account, authorities }) =>
      authorities.includes(wallet) ||
      (account !== undefined && (hops.has(account) || [from, to].some((mint) => isOwnAccount(account, wallet, mint)))),
  )
}

/** Whether a transfer is signed for by others than the agent alone, each of whose signatures is looked at as well. */
export function isOfOthers({ authorities }: Transfer, { message, terms }: Subject): boolean {
  return authorities.every((authority) => authority !== undefined && authority !== terms.wallet && message.signers.includes(authority))
}

/**
 * What leaves is of the token given, and no more than the bot wants to give; what came into the account of a hop may go on.
 * Beside a swap instruction, which takes what it needs under the same signature, nothing at all leaves.
 */
export const tokenTransfers: Check = (subject) => {
  const { wallet, from, amount } = subject.terms
  const given = givenIn(subject)
  const hops = hopAccountsOf(subject)
  const hasSwap = actsOf(subject, 'swap').length > 0
  const refused = firstRefusal(given, (transfer) => {
    if (transfer.from === undefined) return unresolved('the account tokens leave')
    const numbers = { from: transfer.from, amount: transfer.amount }
    if (hasSwap) return refusal('TX_TOKEN_TRANSFER', 'it moves tokens of the agent beside the swap', numbers)
    // A mint of Token-2022 may keep back a fee of what comes in: what goes on would then be the agent's own.
    if (isOwnAccount(transfer.from, wallet, from) || hops.get(transfer.from) === TOKEN_PROGRAM_ID.toBase58()) return undefined
    return refusal('TX_TOKEN_TRANSFER', `it moves tokens out of ${transfer.from}`, numbers)
  })
  if (refused !== undefined) return refused
  const sum = given.filter((transfer) => !hops.has(transfer.from ?? '')).reduce((total, transfer) => total + transfer.amount, 0n)
  if (sum > amount) return refusal('TX_TOKEN_TRANSFER', `it moves ${sum} to give ${amount}`, { sum, amount })
  return firstRefusal([...hops.keys()], (account) => overdrawn(account, subject))
}

/** Of an account that was there before, what it held stays the agent's: no more goes on than has come in by then. */
function overdrawn(account: string, subject: Subject): InspectionRefusal | undefined {
  let held = 0n
  for (const transfer of actsOf(subject, 'tokens')) {
    if (transfer.to === account && isOfOthers(transfer, subject)) held += transfer.amount
    if (transfer.from !== account) continue
    if (transfer.amount > held)
      return refusal('TX_TOKEN_TRANSFER', `it moves ${transfer.amount} out of ${account}, where ${held} has come in`, {
        from: account,
        amount: transfer.amount,
        held,
      })
    held -= transfer.amount
  }
  return undefined
}
