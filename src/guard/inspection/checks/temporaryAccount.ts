import { refusal } from '../codes.ts'
import { isTemporaryAccount } from '../ownAccounts.ts'
import type { Act, Check } from './check.ts'

/**
 * Jupiter's temporary account of the agent is opened once and closed once, to the agent, and whatever else is done with it is done in
 * between; SOL may be paid in before. What is left in one that is open at the end, or comes into one that is not there, nobody closes again.
 */
export const temporaryAccount: Check = ({ acts, terms: { wallet } }) => {
  const uses = acts.filter((act) => accountsOf(act).some((account) => account !== undefined && isTemporaryAccount(account, wallet)))
  const [first, ...others] = uses.filter(({ kind }) => kind !== 'lamports')
  const last = uses.at(-1)
  if (uses.length === 0) return undefined
  const isClosed = last?.kind === 'close' && last.to === wallet
  const isOnce =
    first?.kind === 'openTemporary' && others.every((act) => act === last || (act.kind !== 'openTemporary' && act.kind !== 'close'))
  if (isClosed && isOnce) return undefined
  return refusal(
    'TX_ACCOUNT_OPENED',
    'it uses a temporary account of the agent that it does not open before and close to the agent after',
    {
      uses: uses.map(({ kind }) => kind).join(', '),
    },
  )
}

/** Token accounts that an instruction touches, and whom it pays. */
function accountsOf(act: Act): readonly (string | undefined)[] {
  if (act.kind === 'lamports') return [act.to]
  if (act.kind === 'tokens') return [act.from, act.to]
  if (act.kind === 'swap') return [act.swap.source, ...act.swap.destinations]
  return act.kind === 'close' || act.kind === 'openTemporary' ? [act.account] : []
}
