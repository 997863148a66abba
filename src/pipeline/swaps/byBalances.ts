import { USDC_MINT } from '../../core/tokens.ts'
import type { SwapAction } from '../../strategy/action.ts'
import type { SwapRecord, WalletFigures } from '../input.ts'

/** What the wallet's figures say of a swap whose answer was lost, once it can no longer land. */
export type BalanceVerdict = 'landed' | 'notLanded' | 'undecided'

export interface Compared {
  readonly action: SwapAction
  readonly record: SwapRecord
  /** Read by a request begun after the swap could no longer land. */
  readonly after: WalletFigures
}

/**
 * Without an RPC nobody can be asked about a message without a signature: the wallet's own figures are all
 * there is. A transaction that landed has paid its fee; one that did what it was for has also moved the USDC
 * it says. Anything else that moves money in between leaves it undecided, and the swap held.
 */
export function byBalances({ action, record, after }: Compared): BalanceVerdict {
  const { before, given, minOut } = record
  if (before === undefined) return 'undecided'
  // What contests have paid out or kept in between is none of the swap's.
  const moved = after.total - before.total - (after.profit - before.profit)
  const hasPaid = after.gasLamports !== before.gasLamports
  if (!hasPaid) return moved === 0n ? 'notLanded' : 'undecided'
  if (action.from === USDC_MINT) return moved === -given ? 'landed' : moved === 0n ? 'notLanded' : 'undecided'
  if (action.to === USDC_MINT) return moved >= minOut ? 'landed' : moved === 0n ? 'notLanded' : 'undecided'
  return 'undecided'
}
