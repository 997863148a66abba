import type { Mint } from '../core/tokens.ts'
import type { Action } from '../strategy/action.ts'
import { INSPECTION_CODES, type Inspected } from './inspection/index.ts'
import type { RefusalOf } from './refusalOf.ts'
import type { Hold } from './reservations.ts'

/**
 * Why something was not let out. Closed: `docs/guard.md` explains each. `alerts`: an owner is told, since the bot enters nothing for a
 * while.
 */
export const REFUSALS = [
  { code: 'KILL_SWITCH', alerts: false },
  { code: 'ENTRIES_STOPPED', alerts: false },
  { code: 'DRAINING', alerts: false },
  { code: 'CATCHING_UP', alerts: false },
  { code: 'DUPLICATE_ACTION', alerts: false },
  { code: 'CONTEST_UNKNOWN', alerts: false },
  { code: 'NOT_IN_CONTEST', alerts: false },
  { code: 'STAKE_INVALID', alerts: false },
  { code: 'MODE_NOT_ALLOWED', alerts: false },
  { code: 'CHAIN_NOT_ALLOWED', alerts: false },
  { code: 'OPPONENTS_NOT_ALLOWED', alerts: false },
  { code: 'LIMITS_UNKNOWN', alerts: false },
  { code: 'GAS_LOW', alerts: false },
  { code: 'SERVICE_UNPROBED', alerts: false },
  { code: 'MODE_UNREADABLE', alerts: false },
  { code: 'MODE_NOT_PLAYED', alerts: false },
  { code: 'SWAP_PATH_DOWN', alerts: false },
  { code: 'SWAP_BUDGET', alerts: false },
  { code: 'MODE_CLOSED', alerts: false },
  { code: 'MODE_ON_TRIAL', alerts: false },
  { code: 'SIDE_UNDECIDED', alerts: false },
  { code: 'SIDE_TAKEN', alerts: false },
  { code: 'SIBLING_IN_CONTEST', alerts: false },
  { code: 'TOKEN_NOT_AVAILABLE', alerts: false },
  { code: 'COMMIT_NOT_OPEN', alerts: false },
  { code: 'NOTHING_TO_REVEAL', alerts: false },
  { code: 'STAKE_OVER_OWN_CAP', alerts: false },
  { code: 'STAKE_OVER_SERVICE_CAP', alerts: false },
  { code: 'OPEN_CONTESTS', alerts: false },
  { code: 'FIRST_SWAPS', alerts: false },
  { code: 'COOL_DOWN', alerts: true },
  { code: 'DRAWDOWN_STOP', alerts: true },
  { code: 'MODE_BUDGET', alerts: false },
  { code: 'STRATEGY_BUDGET', alerts: false },
  { code: 'CLOCKS_DISAGREE', alerts: true },
  { code: 'UNEXPLAINED_FALL', alerts: true },
  { code: 'CHAIN_SHORT', alerts: true },
  { code: 'DAILY_STAKED', alerts: true },
  { code: 'ENTRIES_IN_MINUTE', alerts: false },
  { code: 'DAILY_LOSS_OWN', alerts: true },
  { code: 'DAILY_LOSS_SERVICE', alerts: true },
  { code: 'BANKROLL', alerts: false },
  { code: 'SWAP_AMOUNT_INVALID', alerts: false },
  { code: 'SWAP_SAME_TOKEN', alerts: false },
  { code: 'TOKEN_UNKNOWN', alerts: false },
  { code: 'TOKEN_CONTRADICTED', alerts: false },
  { code: 'TOKEN_BARRED', alerts: false },
  { code: 'TOKEN_TRANSFER_FEE', alerts: false },
  { code: 'TOKEN_TRANSFER_HOOK', alerts: false },
  { code: 'MODE_WITHOUT_SWAPS', alerts: false },
  { code: 'CONTEST_NOT_LIVE', alerts: false },
  { code: 'CONTEST_NOT_OVER', alerts: false },
  { code: 'TOKEN_NOT_ALLOWED', alerts: false },
  { code: 'SWAP_QUEUE_FULL', alerts: false },
  { code: 'SWAP_UNRESOLVED', alerts: false },
  { code: 'SWAPS_IN_CONTEST', alerts: false },
  { code: 'SWAPS_IN_MINUTE', alerts: false },
  { code: 'SLIPPAGE_OVER_CAP', alerts: false },
  { code: 'PRICE_UNKNOWN', alerts: false },
  { code: 'PRICE_STALE', alerts: false },
  { code: 'SWAP_OVER_BALANCE', alerts: false },
  { code: 'SWAP_TOO_LARGE', alerts: false },
  { code: 'QUOTE_STALE', alerts: false },
  { code: 'QUOTE_MISMATCH', alerts: false },
  { code: 'QUOTE_IMPACT', alerts: false },
  { code: 'QUOTE_BELOW_FEED', alerts: false },
  ...INSPECTION_CODES.map((code) => ({ code, alerts: false })),
] as const
export type RefusalCode = (typeof REFUSALS)[number]['code']

export type Refusal = RefusalOf<RefusalCode>

/** A transaction for the service to sign and send. Only an inspected one comes to be approved. */
export interface SendSwap {
  readonly type: 'sendSwap'
  /** The contest the swap counts for; a sweep counts for none. */
  readonly contestId: string | undefined
  /** The very bytes that were inspected, base64. */
  readonly transaction: string
}

/** A swap on paper: what it will do, for a world without a chain. There is no transaction in it that anybody could sign. */
export interface PaperSwap {
  readonly type: 'paperSwap'
  readonly contestId: string | undefined
  readonly from: Mint
  readonly to: Mint
  /** Base units. */
  readonly given: bigint
  readonly minOut: bigint
}

/** What can be let out: actions, and what swaps come to in the end. */
export type Sendable = Action | SendSwap | PaperSwap

declare const approval: unique symbol

/** What the guard has let out. Only `check`, `approveTransaction` and `approvePaperSwap` make one; the executor takes nothing else. */
export type Approved<A extends Sendable = Action> = A & { readonly [approval]: true }

export type Verdict<A extends Action = Action> =
  /** `hold`: what was reserved for it. */
  { readonly ok: true; readonly action: Approved<A>; readonly hold: Hold } | { readonly ok: false; readonly refusal: Refusal }

export type QuoteVerdict = { readonly ok: true } | { readonly ok: false; readonly refusal: Refusal }

export type TransactionVerdict =
  /** `facts`: what the inspection read in the transaction. */
  { readonly ok: true; readonly action: Approved<SendSwap>; readonly facts: Inspected } | { readonly ok: false; readonly refusal: Refusal }

export type PaperVerdict = { readonly ok: true; readonly action: Approved<PaperSwap> } | { readonly ok: false; readonly refusal: Refusal }
