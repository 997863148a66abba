import type { Mint } from '../core/tokens.ts'
import type { Action } from '../strategy/action.ts'
import { INSPECTION_CODES, type Inspected } from './inspection/index.ts'
import type { RefusalOf } from './refusalOf.ts'
import type { Hold } from './reservations.ts'

/** Why something was not let out. Closed: `docs/guard.md` explains each. */
export const REFUSAL_CODES = [
  'KILL_SWITCH',
  'ENTRIES_STOPPED',
  'DRAINING',
  'CATCHING_UP',
  'DUPLICATE_ACTION',
  'CONTEST_UNKNOWN',
  'NOT_IN_CONTEST',
  'STAKE_INVALID',
  'MODE_NOT_ALLOWED',
  'CHAIN_NOT_ALLOWED',
  'OPPONENTS_NOT_ALLOWED',
  'LIMITS_UNKNOWN',
  'GAS_LOW',
  'SIDE_UNDECIDED',
  'SIDE_TAKEN',
  'SIBLING_IN_CONTEST',
  'TOKEN_NOT_AVAILABLE',
  'COMMIT_NOT_OPEN',
  'NOTHING_TO_REVEAL',
  'STAKE_OVER_OWN_CAP',
  'STAKE_OVER_SERVICE_CAP',
  'OPEN_CONTESTS',
  'COOL_DOWN',
  'DRAWDOWN_STOP',
  'MODE_BUDGET',
  'STRATEGY_BUDGET',
  'DAILY_LOSS_OWN',
  'DAILY_LOSS_SERVICE',
  'BANKROLL',
  'SWAP_AMOUNT_INVALID',
  'SWAP_SAME_TOKEN',
  'TOKEN_UNKNOWN',
  'MODE_WITHOUT_SWAPS',
  'CONTEST_NOT_LIVE',
  'CONTEST_NOT_OVER',
  'TOKEN_NOT_ALLOWED',
  'SWAP_QUEUE_FULL',
  'SWAP_UNRESOLVED',
  'SWAPS_IN_CONTEST',
  'SWAPS_IN_MINUTE',
  'SLIPPAGE_OVER_CAP',
  'PRICE_UNKNOWN',
  'PRICE_STALE',
  'SWAP_OVER_BALANCE',
  'SWAP_TOO_LARGE',
  'QUOTE_STALE',
  'QUOTE_MISMATCH',
  'QUOTE_IMPACT',
  'QUOTE_BELOW_FEED',
  ...INSPECTION_CODES,
] as const
export type RefusalCode = (typeof REFUSAL_CODES)[number]

export type Refusal = RefusalOf<RefusalCode>

/** A transaction for the service to sign and send. Only an inspected one comes to be approved. */
export interface SendSwap {
  readonly type: 'sendSwap'
  /** The contest the swap counts for; a sweep counts for none. */
  readonly contestId: string | undefined
  /** The very bytes that were inspected, base64. */
  readonly transaction: string
}

/** A swap as the statement of what it will do, for a world without a chain. There is no transaction in it that anybody could sign. */
export interface StatedSwap {
  readonly type: 'statedSwap'
  readonly contestId: string | undefined
  readonly from: Mint
  readonly to: Mint
  /** Base units. */
  readonly given: bigint
  readonly minOut: bigint
}

/** What can be let out: actions, and what swaps come to in the end. */
export type Sendable = Action | SendSwap | StatedSwap

declare const approval: unique symbol

/** What the guard has let out. Only `check`, `approveTransaction` and `approveStatement` make one; the executor takes nothing else. */
export type Approved<A extends Sendable = Action> = A & { readonly [approval]: true }

export type Verdict<A extends Action = Action> =
  /** `hold`: what was reserved for it. */
  { readonly ok: true; readonly action: Approved<A>; readonly hold: Hold } | { readonly ok: false; readonly refusal: Refusal }

export type QuoteVerdict = { readonly ok: true } | { readonly ok: false; readonly refusal: Refusal }

export type TransactionVerdict =
  /** `facts`: what the inspection read in the transaction. */
  { readonly ok: true; readonly action: Approved<SendSwap>; readonly facts: Inspected } | { readonly ok: false; readonly refusal: Refusal }

export type StatementVerdict =
  | { readonly ok: true; readonly action: Approved<StatedSwap> }
  | { readonly ok: false; readonly refusal: Refusal }
