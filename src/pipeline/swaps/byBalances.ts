import { USDC_MINT } from '../../core/tokens.ts'
import type { Usdc } from '../../core/usdc.ts'
import type { SwapAction } from '../../strategy/action.ts'
import type { SwapRecord, WalletFigures } from '../protocol/input.ts'

/** What the wallet's figures say of a swap whose answer was lost, once it can no longer land. */
export type BalanceVerdict = 'landed' | 'notLanded' | 'undecided'

/** What contests came to of which nobody can say for sure whether the figures before had it: each changes what moved by this, or by nothing. */
export interface Unsure {
  /** Settled while they were read: the one is as likely as the other. */
  readonly either: readonly Usdc[]
  /** By nothing, if the clocks of the two machines agree. */
  readonly doubtful: readonly Usdc[]
}

export interface Compared {
  readonly action: SwapAction
  readonly record: SwapRecord
  /** Read by a request begun after the swap could no longer land. */
  readonly after: WalletFigures
  readonly unsure: Unsure
}

/** Of more that may have been nobody can say anything. */
const MOST_SUMS = 1000

/**
 * Without an RPC nobody can be asked about a message without a signature: the wallet's own figures are all
 * there is. A transaction that landed has paid its fee; one that did what it was for has also moved the USDC
 * it says. Anything else that moves money in between leaves it undecided, and the swap held; but for contests that were
 * settled about when the figures were read, where all that may have been says the same.
 */
export function byBalances({ action, record, after, unsure }: Compared): BalanceVerdict {
  const { before } = record
  if (before === undefined) return 'undecided'
  // What contests have paid out or kept in between is none of the swap's.
  const moved = after.total - before.total - (after.profit - before.profit)
  const hasPaid = after.gasLamports !== before.gasLamports
  const { either, doubtful } = unsure
  // Where the likely ones say something, the clocks are taken to agree.
  for (const amounts of [either, [...either, ...doubtful]]) {
    const verdicts = new Set([...sumsOf(amounts)].map((sum) => verdictOf({ action, record, moved: moved + sum, hasPaid })))
    verdicts.delete('undecided')
    const [first, ...others] = verdicts
    if (first !== undefined) return others.length === 0 ? first : 'undecided'
  }
  return 'undecided'
}

/** The sums of every choice of some of them: stakes are alike, so that they are few. None, where they are not. */
function sumsOf(amounts: readonly Usdc[]): ReadonlySet<Usdc> {
  const sums = new Set([0n])
  for (const amount of amounts) {
    for (const sum of [...sums]) sums.add(sum + amount)
    if (sums.size > MOST_SUMS) return new Set()
  }
  return sums
}

interface Movement {
  readonly action: SwapAction
  readonly record: SwapRecord
  /** Micro-USDC that the wallet has more, contests apart. */
  readonly moved: Usdc
  readonly hasPaid: boolean
}

function verdictOf({ action, record, moved, hasPaid }: Movement): BalanceVerdict {
  const { given, minOut } = record
  if (!hasPaid) return moved === 0n ? 'notLanded' : 'undecided'
  if (action.from === USDC_MINT) return moved === -given ? 'landed' : moved === 0n ? 'notLanded' : 'undecided'
  if (action.to === USDC_MINT) return moved >= minOut ? 'landed' : moved === 0n ? 'notLanded' : 'undecided'
  return 'undecided'
}
