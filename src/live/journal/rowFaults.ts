import { commitmentOf } from '../../contract/commitment.ts'
import { messageOf } from '../../core/error.ts'
import type { CustodyStatus, IntentStatus } from '../../pipeline/index.ts'
import { CUSTODY_STATUSES, type CustodyRow, FILL_SOURCES, INTENT_STATUSES, type IntentRow, intentOf, rawEventOf } from './rows.ts'
import { type FillRow, fillOf, type SwapRow, swapOf } from './swapRows.ts'

// What is wrong with one row, read as the bot reads it; undefined: nothing. Never what stands in it.

export type EventFields = { readonly raw: string }
export type IntentFields = IntentRow & { readonly status: string }
export type CustodyFields = Omit<CustodyRow, 'status'> & { readonly status: string }

const faultIn = (read: () => unknown): string | undefined => {
  try {
    read()
    return undefined
  } catch (thrown) {
    return messageOf(thrown)
  }
}

export const eventFault = (row: EventFields): string | undefined => faultIn(() => rawEventOf(row))
export const intentFault = (row: IntentFields): string | undefined => faultIn(() => intentOf(row))
export const swapFault = (row: SwapRow): string | undefined => faultIn(() => swapOf(row))

export function fillFault(row: FillRow): string | undefined {
  if (!FILL_SOURCES.includes(row.source)) return `source is none of ${FILL_SOURCES.join(', ')}`
  return faultIn(() => fillOf(row))
}

export const isIntentStatus = (status: string): status is IntentStatus | 'pending' => Object.hasOwn(INTENT_STATUSES, status)
export const isCustodyStatus = (status: string): status is CustodyStatus => Object.hasOwn(CUSTODY_STATUSES, status)

/** A commitment can only be revealed with the price, the salt and the entry that it was made of. */
export function custodyFault({ price, salt, entry_id, commitment }: CustodyFields): string | undefined {
  let made: string
  try {
    made = commitmentOf(price, salt, entry_id)
  } catch {
    return 'price or salt is not one'
  }
  return made === commitment ? undefined : 'price, salt and entry do not give the commitment'
}
