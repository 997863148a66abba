import { SOL_MINT } from '../../../core/tokens.ts'
import { refusal, unresolved } from '../codes.ts'
import { isOwnAccount, isTemporaryAccount } from '../ownAccounts.ts'
import { actsOf, type Check, firstRefusal } from './check.ts'

/** What keeps a token account of 165 bytes alive. Who wraps into a temporary account pays it in, and has it back at its close. */
const TOKEN_ACCOUNT_RENT_LAMPORTS = 2_039_280n

/** The agent's SOL leaves its wallet for its own account of wrapped SOL, when SOL is what it gives, and for nowhere else. */
export const solTransfers: Check = (subject) => {
  const { wallet, from, amount } = subject.terms
  // Only a signer can be paid from, and a signer is always named: what moves of others is theirs.
  const paid = actsOf(subject, 'lamports').filter((transfer) => transfer.from === wallet)
  const refused = firstRefusal(paid, ({ to, lamports }) => {
    if (to === undefined) return unresolved('the receiver of SOL')
    const isWrap = from === SOL_MINT && (isOwnAccount(to, wallet, SOL_MINT) || isTemporaryAccount(to, wallet))
    return isWrap ? undefined : refusal('TX_SOL_TRANSFER', `${lamports} lamports of the agent go to ${to}`, { lamports, to })
  })
  if (refused !== undefined) return refused

  const lamports = paid.reduce((sum, transfer) => sum + transfer.lamports, 0n)
  const rent = actsOf(subject, 'openTemporary').length > 0 ? TOKEN_ACCOUNT_RENT_LAMPORTS : 0n
  if (lamports <= amount + rent) return undefined
  return refusal('TX_SOL_TRANSFER', `it wraps ${lamports} lamports to give ${amount}`, { lamports, amount, rent })
}
