import type { TransferFee } from '../core/tokenFacts.ts'
import type { SwapAction } from '../strategy/action.ts'
import type { GuardConfig } from '../strategy/guardConfig.ts'
import {
  checkSimulation,
  type Inspected,
  inspectSwap,
  type LookupTables,
  type SimulatedChanges,
  type SwapTerms,
} from './inspection/index.ts'
import type { SwapQuote } from './swapQuote.ts'
import type { Refusal } from './verdict.ts'

/** A transaction as it was built, before anybody has signed it. */
export interface BuiltTransaction {
  /** Base64. */
  readonly transaction: string
  /** Contents of the lookup tables it names, by address, as far as they could be read; undefined without an RPC. */
  readonly tables: LookupTables
  /** What it would change; undefined without an RPC. */
  readonly simulated: SimulatedChanges | undefined
}

/** What a transaction is judged against. */
export interface Proposed {
  readonly action: Pick<SwapAction, 'from' | 'to'>
  readonly quote: SwapQuote
  readonly built: BuiltTransaction
  /** The agent's wallet, base58. */
  readonly wallet: string
  /** What the mint of what comes in keeps back of it; none when absent. */
  readonly transferFee?: TransferFee | undefined
}

type Judged =
  /** `transaction`: the bytes that were looked at, base64. */
  { readonly ok: true; readonly transaction: string; readonly facts: Inspected } | { readonly ok: false; readonly refusal: Refusal }

/** Looks inside a built transaction, and at its simulation where there is one. */
export function judge({ action, quote, built, wallet, transferFee }: Proposed, policy: GuardConfig): Judged {
  const { from, to } = action
  const { inAmount, outAmount, minOut, slippageBps } = quote
  const terms: SwapTerms = { wallet, from, to, amount: inAmount, quotedOut: outAmount, minOut, slippageBps, transferFee }
  // Decoders of base64 differ in what they forgive: what is sent is written anew from the bytes that were looked at.
  const bytes = Buffer.from(built.transaction, 'base64')
  const inspection = inspectSwap(bytes, terms, { policy, tables: built.tables })
  if (!inspection.ok) return { ok: false, refusal: inspection.refusal }
  const mismatch = built.simulated === undefined ? undefined : checkSimulation(built.simulated, terms)
  if (mismatch !== undefined) return { ok: false, refusal: mismatch }
  return { ok: true, transaction: bytes.toString('base64'), facts: inspection.facts }
}
