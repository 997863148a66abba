import type { Refusal } from '../../contests/index.ts'

/** What `agent.trade.signAndSend` answers. */
export interface SentAnswer {
  readonly signature: string
  readonly status: 'confirmed' | 'submitted'
  readonly contestId: string | null
  readonly programs: readonly string[]
}

/** Codes of refused transactions, as in `docs/sandbox.md`. */
export type TradeCode =
  | 'TX_MALFORMED'
  | 'TX_TOO_LARGE'
  | 'TX_WRONG_PAYER'
  | 'TX_PROGRAM_NOT_ALLOWED'
  | 'TX_SIGNATURE_MISSING'
  | 'TX_BLOCKHASH_EXPIRED'
  | 'TX_DUPLICATE'
  | 'TX_SIMULATION_FAILED'

export interface TradeRefused {
  readonly ok: false
  readonly refusal: Omit<Refusal, 'code'> & { readonly code: Refusal['code'] | TradeCode }
}

export type TradeAnswer<T> = { readonly ok: true; readonly value: T } | TradeRefused

export function refuseTrade(code: TradeRefused['refusal']['code'], message: string, details: Refusal['details'] = {}): TradeRefused {
  return { ok: false, refusal: { code, message, details } }
}
