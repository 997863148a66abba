import type { RefusalOf } from '../refusalOf.ts'

/** Why a transaction was not handed on for signing. Closed: `docs/inspection.md` explains each. */
export const INSPECTION_CODES = [
  'TX_MALFORMED',
  'TX_TOO_LARGE',
  'TX_FEE_PAYER',
  'TX_PROGRAM_NOT_ALLOWED',
  'TX_TABLE_UNRESOLVED',
  'TX_INSTRUCTION_UNKNOWN',
  'TX_INSTRUCTION_FORBIDDEN',
  'TX_COMPUTE_PRICE',
  'TX_PRIORITY_FEE',
  'TX_SOL_TRANSFER',
  'TX_TOKEN_TRANSFER',
  'TX_ACCOUNT_OPENED',
  'TX_ACCOUNT_CLOSED',
  'TX_NOT_THE_SWAP',
  'TX_SWAP_REPEATED',
  'TX_SWAP_UNREADABLE',
  'TX_SWAP_SOURCE',
  'TX_SWAP_DESTINATION',
  'TX_SWAP_MINT',
  'TX_SWAP_AMOUNT',
  'TX_SWAP_QUOTED_OUT',
  'TX_SWAP_SLIPPAGE',
  'TX_SWAP_MIN_OUT',
  'TX_SWAP_FEE',
  'TX_SIGNATURE_MISSING',
  'TX_SIGNATURE_INVALID',
  'SIMULATION_FAILED',
  'SIMULATION_MISMATCH',
] as const
export type InspectionCode = (typeof INSPECTION_CODES)[number]

export type InspectionRefusal = RefusalOf<InspectionCode>

export function refusal(code: InspectionCode, message: string, numbers: InspectionRefusal['numbers'] = {}): InspectionRefusal {
  return { code, message, numbers }
}

/** An address that decides something and lies in a lookup table that could not be read. */
export function unresolved(what: string): InspectionRefusal {
  return refusal('TX_TABLE_UNRESOLVED', `${what} is in a lookup table that could not be read`, { account: what })
}
