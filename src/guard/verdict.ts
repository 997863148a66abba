import type { Action } from '../strategy/action.ts'

/** Why an action was not let out. Closed: `docs/guard.md` explains each. */
export const REFUSAL_CODES = [
  'STAKE_INVALID',
  'CATCHING_UP',
  'DRAINING',
  'DUPLICATE_ACTION',
  'LIMITS_UNKNOWN',
  'STAKE_OVER_OWN_CAP',
  'STAKE_OVER_SERVICE_CAP',
  'DAILY_LOSS_OWN',
  'DAILY_LOSS_SERVICE',
  'BANKROLL',
  'OPEN_CONTESTS',
  'CONTEST_UNKNOWN',
  'NOT_IN_CONTEST',
  'SIDE_TAKEN',
  'SIDE_UNDECIDED',
  'SIBLING_IN_CONTEST',
  'TOKEN_NOT_AVAILABLE',
  'COMMIT_NOT_OPEN',
  'NOTHING_TO_REVEAL',
] as const
export type RefusalCode = (typeof REFUSAL_CODES)[number]

/** A refusal with the numbers that decided it; amounts in micro-USDC, times in Unix milliseconds. */
export interface Refusal {
  readonly code: RefusalCode
  readonly message: string
  readonly numbers: Readonly<Record<string, string | number | bigint>>
}

declare const approval: unique symbol

/** An action the guard has let out. Only `guard.check` makes one; the executor takes nothing else. */
export type Approved<A extends Action = Action> = A & { readonly [approval]: true }

export type Verdict = { readonly ok: true; readonly action: Approved } | { readonly ok: false; readonly refusal: Refusal }
