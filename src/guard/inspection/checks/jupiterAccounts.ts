import { type Mint, SOL_MINT } from '../../../core/tokens.ts'
import { type InspectionRefusal, refusal, unresolved } from '../codes.ts'
import type { JupiterSwap } from '../jupiter/swap.ts'
import { isOwnAccount, isTemporaryAccount } from '../ownAccounts.ts'
import type { SwapTerms } from '../terms.ts'
import { actsOf, type Check, firstRefusal } from './check.ts'

/** A swap of Jupiter's takes from the agent's own account of the one token and pays into that of the other. */
export const jupiterAccounts: Check = (subject) => firstRefusal(actsOf(subject, 'swap'), ({ swap }) => ofSwap(swap, subject.terms))

function ofSwap({ authority, source, destinations, sourceMint, destinationMint }: JupiterSwap, terms: SwapTerms) {
  const { wallet, from, to } = terms
  if (authority === undefined || source === undefined) return unresolved('the account the swap takes from')
  if (authority !== wallet || !isOwn(source, wallet, from))
    return refusal('TX_SWAP_SOURCE', `it swaps out of ${source}, signed for by ${authority}`, { source, authority, wallet })
  const refused = firstRefusal<string | undefined>(destinations, (destination): InspectionRefusal | undefined => {
    if (destination === undefined) return unresolved('the account the swap pays into')
    if (isOwn(destination, wallet, to)) return undefined
    return refusal('TX_SWAP_DESTINATION', `it pays into ${destination}, which is not the agent's account`, { destination, wallet })
  })
  // The accounts imply the mints. Where a mint is named, another would only make the swap fail on the chain.
  return refused ?? ofMint(sourceMint, from) ?? ofMint(destinationMint, to)
}

function ofMint(named: string | undefined, mint: Mint): InspectionRefusal | undefined {
  if (named === undefined || named === mint) return undefined
  return refusal('TX_SWAP_MINT', `it swaps ${named}, not ${mint}`, { named, mint })
}

function isOwn(address: string, wallet: string, mint: Mint): boolean {
  return isOwnAccount(address, wallet, mint) || (mint === SOL_MINT && isTemporaryAccount(address, wallet))
}
