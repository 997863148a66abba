import { type InspectionRefusal, refusal } from '../codes.ts'
import { isTemporaryAccount } from '../ownAccounts.ts'
import { type Act, type Check, firstRefusal } from './check.ts'
import { hopAccountsOf } from './hopAccounts.ts'

const OPENINGS: readonly Act['kind'][] = ['open', 'openTemporary']

/**
 * An account is opened once, before whatever is done with it, and closed once, after all of it; SOL may be paid in before. An
 * account that is the agent's for the length of the transaction only, Jupiter's temporary one or one of a hop, is both: what is
 * left in one that is open at the end, or comes into one that is not there, nobody closes again.
 */
export const accountLives: Check = (subject) => {
  const { acts, terms } = subject
  const hops = hopAccountsOf(subject)
  const touched = acts.map((act) => accountsOf(act, hops))
  const isTemporary = (account: string) => isTemporaryAccount(account, terms.wallet)
  const opened = acts.flatMap((act) =>
    act.kind === 'open' && act.payer === terms.wallet && act.account !== undefined ? [act.account] : [],
  )
  const passing = touched.flat().filter((account) => account !== undefined && isTemporary(account))
  return firstRefusal([...new Set([...opened, ...passing])], (account) => {
    if (account === undefined) return undefined
    const uses = acts.filter((_, index) => touched[index]?.includes(account) === true)
    return lifeOf(account, uses, { isPassing: hops.has(account) || isTemporary(account) })
  })
}

function lifeOf(account: string, uses: readonly Act[], { isPassing }: { readonly isPassing: boolean }): InspectionRefusal | undefined {
  const [first, ...others] = uses.filter(({ kind }) => kind !== 'lamports')
  const last = uses.at(-1)
  const isOpenedOnce = first !== undefined && OPENINGS.includes(first.kind) && others.every(({ kind }) => !OPENINGS.includes(kind))
  // By whom and to whom it is closed, `closedAccounts` has looked at.
  const isClosedLast = uses.every((act) => act.kind !== 'close' || act === last) && (!isPassing || last?.kind === 'close')
  if (isOpenedOnce && isClosedLast) return undefined
  const how = isPassing ? 'open once before, and close once after, all that it does with it' : 'open once before all that it does with it'
  return refusal('TX_ACCOUNT_OPENED', `it uses ${account}, an account of the agent's that it does not ${how}`, {
    account,
    uses: uses.map(({ kind }) => kind).join(', '),
  })
}

/** Token accounts that an instruction touches. A swap may go through every account of a hop, which it names among its pools. */
function accountsOf(act: Act, hops: ReadonlyMap<string, string>): readonly (string | undefined)[] {
  if (act.kind === 'lamports') return [act.to]
  if (act.kind === 'tokens') return [act.from, act.to]
  if (act.kind === 'swap') return [act.swap.source, ...act.swap.destinations, ...hops.keys()]
  return act.kind === 'close' || act.kind === 'open' || act.kind === 'openTemporary' ? [act.account] : []
}
