import type { LedgerFacts } from '../../guard/index.ts'
import type { Fill } from '../../strategy/view.ts'
import type { ModeRecord } from '../playable/modeRecord.ts'
import type { Custody, Intent, SwapRecord } from './input.ts'
import type { Outcome } from './outcome.ts'

/** What one input changes, written in one transaction before anything of it is sent. */
export interface JournalRecord {
  readonly n: number
  readonly at: number
  readonly event?: { readonly raw: unknown; readonly problem: string | undefined } | undefined
  readonly cursor?: string | undefined
  readonly intents: readonly Intent[]
  readonly outcomes: readonly IntentOutcome[]
  readonly custody: readonly Custody[]
  /** Swaps about to be sent, or whose signature was learnt: the newest of a key stands. */
  readonly swaps: readonly SwapRecord[]
  readonly fills: readonly Fill[]
  readonly refusals: readonly string[]
  /** Modes whose playing has come to something: the newest of a mode stands. */
  readonly modes?: readonly ModeRecord[] | undefined
  /** The guard's ledger after the input, where it changed: the newest stands. */
  readonly ledger?: LedgerFacts
}

/** What became of one intent: as the service answered, or as its reads showed later. */
export interface IntentOutcome {
  readonly key: string
  readonly status: IntentStatus
  /** The ticket or contest it made, or the contest it joined. */
  readonly made?: string
  readonly detail?: string
}
export type IntentStatus =
  | Outcome['status']
  | 'absent'
  /** It never arrived, and is sent anew: a commitment, a pick or a reveal. */
  | 'notTaken'
  | 'lostRace'
  /** Of swaps: executed; kept back by the guard after its first approval; without a quote or a transaction; landed and failed; never landed. */
  | 'filled'
  | 'refused'
  | 'unfilled'
  | 'reverted'
  | 'expired'
