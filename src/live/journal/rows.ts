import { CornermanError } from '../../core/error.ts'
import { decodeExact } from '../../core/exactJson.ts'
import type { Custody, CustodyStatus, Fill, Intent, IntentStatus } from '../../pipeline/index.ts'
import { readAction } from '../../strategy/action.ts'

// What stands in the journal's tables, and how it is read. Messages never show what stands there: it may be a salt's remains.

/** As the pipeline knows them, and `pending` before there is an outcome. `open`: it may have been sent, and is looked up. */
export const INTENT_STATUSES: Readonly<Record<IntentStatus | 'pending', 'open' | 'over'>> = {
  pending: 'open',
  unknown: 'open',
  accepted: 'over',
  rejected: 'over',
  notSent: 'over',
  absent: 'over',
  notTaken: 'over',
  lostRace: 'over',
  filled: 'over',
  refused: 'over',
  unfilled: 'over',
  reverted: 'over',
  expired: 'over',
}

/** `open`: something is owed. */
export const CUSTODY_STATUSES: Readonly<Record<CustodyStatus, 'open' | 'over'>> = {
  made: 'open',
  committed: 'open',
  revealed: 'over',
  missed: 'over',
  dropped: 'over',
}

export const FILL_SOURCES: readonly Fill['source'][] = ['chain', 'quote']

/** Something in a row that is not what a bot writes there: `JOURNAL_ROW_UNREADABLE`. */
const unreadable = (what: string) => new CornermanError('JOURNAL_ROW_UNREADABLE', what)

/** Whole amounts stand as digits: SQLite's integers have 64 bits. */
export function amountOf(digits: string, column: string): bigint {
  if (!/^-?\d+$/.test(digits)) throw unreadable(`${column} is not a whole number`)
  return BigInt(digits)
}

/** The raw event in a row of `events`. */
export function rawEventOf({ raw }: { readonly raw: string }): unknown {
  try {
    return JSON.parse(raw) as unknown
  } catch {
    throw unreadable('raw is not JSON')
  }
}

/** A row whose columns are added up; null or another number in `sound`: it is not what was written. */
export interface SummedRow {
  readonly sound: number | null
}

export const ALTERED = 'its checksum does not fit: it is not what was written'

/** @throws CornermanError `JOURNAL_ROW_UNREADABLE` */
export function expectSound({ sound }: SummedRow): void {
  if (sound !== 1) throw unreadable(ALTERED)
}

export interface IntentRow {
  readonly key: string
  readonly at: number
  readonly action: string
  readonly stake: string
  readonly risk: string
}

export const intentOf = ({ key, at, action, stake, risk }: IntentRow): Intent => ({
  ...{ key, at, action: actionOf(action) },
  stake: amountOf(stake, 'stake'),
  risk: amountOf(risk, 'risk'),
})

function actionOf(text: string): Intent['action'] {
  try {
    return readAction(decodeExact(text))
  } catch {
    throw unreadable('action is not an action')
  }
}

export interface CustodyRow {
  readonly contest_id: string
  readonly entry_id: string
  readonly price: string
  readonly salt: string
  readonly commitment: string
  readonly status: CustodyStatus
}

export const custodyOf = ({ contest_id, entry_id, price, salt, commitment, status }: CustodyRow): Custody => ({
  ...{ contestId: contest_id, entryId: entry_id, price, salt, commitment, status },
})
