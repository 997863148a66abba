import { formatAmount, symbolOf } from '../../core/tokens.ts'
import type { Approved, SwapQuote } from '../../guard/index.ts'
import type { SwapAction } from '../../strategy/action.ts'
import type { Intent, SwapRecord } from '../protocol/input.ts'
import type { BalanceVerdict } from './byBalances.ts'

/** The one swap of the wallet that is under way. */
export interface OpenSwap {
  readonly intent: Intent & { readonly action: SwapAction }
  /** As the guard let it out; undefined for one of an earlier run. */
  readonly approved: Approved<SwapAction> | undefined
  readonly by: string
  stage: 'quoting' | 'building' | 'sending' | 'landing'
  /** `raw`: what its transaction is built from. */
  quoted: { readonly quote: SwapQuote; readonly raw: unknown } | undefined
  /** Set before it is sent. */
  record: SwapRecord | undefined
  /** Whether its answer was lost: nobody has said yet whether it was sent at all. */
  isLost: boolean
  /** Why the service did not send it, where it may have all the same. */
  refused: string | undefined
  /** Since when the service calls it confirmed while the chain cannot be asked. */
  confirmedAt: number | undefined
  /** Whether the service has said it once more when it was asked again, since the chain does not show it. */
  isConfirmedAgain: boolean
  /** What the balances have said of it since then, in Unix milliseconds. */
  balancesSaid: { readonly verdict: BalanceVerdict; readonly since: number } | undefined
  /** When it was last said that nobody can say what became of it. */
  saidAt: number | undefined
}

/** One that is to be quoted. */
export const openSwapOf = (intent: OpenSwap['intent'], approved: OpenSwap['approved'], by: string): OpenSwap => ({
  intent,
  approved,
  by,
  stage: 'quoting',
  quoted: undefined,
  record: undefined,
  isLost: false,
  refused: undefined,
  confirmedAt: undefined,
  isConfirmedAgain: false,
  balancesSaid: undefined,
  saidAt: undefined,
})

export const describeSwap = ({ type, from, to, amount }: SwapAction): string =>
  `${type} of ${formatAmount(amount, from)} for ${symbolOf(to)}`
