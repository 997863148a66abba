import type { ServiceRefusal } from './wire.ts'

// Refusals by the service, and what each means for who asked. The specification names no codes: these are the sandbox's, and one that only
// another service has. A code that is not here means no more than that it was refused; a swap so refused may have been sent all the same.

type Refusal = Pick<ServiceRefusal, 'code' | 'status'>

/** Each meaning changes one thing. */
type Meaning =
  /** Someone, or time, was faster: it costs nothing, and is no failure of the bot (ADR 0003). */
  | 'raceLost'
  /** What was wanted is so already: the action counts as accepted. */
  | 'done'
  /** The swap would have failed on the chain: it counts as reverted. */
  | 'marketMoved'
  /** Too much was asked at once: the last read of a contest that is over is tried again. */
  | 'rate'

/** By action, or for whatever is asked: a row of the action comes first. */
export const MEANINGS = {
  any: { RATE_LIMITED: 'rate' },
  cancelTicket: { TICKET_NOT_OPEN: 'raceLost' },
  joinContest: { CONTEST_FULL: 'raceLost', CONTEST_NOT_OPEN: 'raceLost', SIDE_TAKEN: 'raceLost' },
  leaveContest: { CONTEST_NOT_OPEN: 'raceLost', NOT_IN_CONTEST: 'done' },
  ready: { CONTEST_NOT_OPEN: 'raceLost', NOT_IN_CONTEST: 'raceLost' },
  revealPrediction: { ALREADY_REVEALED: 'done' },
  swap: { TX_SIMULATION_FAILED: 'marketMoved' },
} as const satisfies Readonly<Record<string, Readonly<Record<string, Meaning>>>>

/**
 * Refusals of a swap that come before anything is signed. After any other, a blockhash that expired or a transaction that was there already
 * among them, the swap may have been sent: the chain says.
 */
export const BEFORE_SIGNING = [
  ...['AGENT_KEY_MISSING', 'AGENT_KEY_INVALID', 'RATE_LIMITED', 'INVALID_INPUT', 'NOT_FOUND', 'NOT_IN_CONTEST', 'CONTEST_NOT_OPEN'],
  ...['INSUFFICIENT_BANKROLL', 'INSUFFICIENT_BALANCE', 'TOKEN_NOT_ALLOWED', 'CHAIN_NOT_TRADABLE', 'DAILY_LOSS_CAP'],
  ...['TX_MALFORMED', 'TX_TOO_LARGE', 'TX_WRONG_PAYER', 'TX_PROGRAM_NOT_ALLOWED', 'TX_SIGNATURE_MISSING'],
] as const
const UNSIGNED: ReadonlySet<string> = new Set(BEFORE_SIGNING)
/** Those among them that are about what was asked for, or how often: another swap may be sent. */
const OF_ASKER: ReadonlySet<string> = new Set([
  ...['RATE_LIMITED', 'NOT_IN_CONTEST', 'CONTEST_NOT_OPEN', 'INSUFFICIENT_BANKROLL', 'INSUFFICIENT_BALANCE'],
  ...['TOKEN_NOT_ALLOWED', 'DAILY_LOSS_CAP'],
])

/** The same where the service gives no code of its own: it has not let the request in. */
const NOT_LET_IN: ReadonlySet<number> = new Set([401, 403, 404, 405, 413, 415, 429])

/** Refusals that are no word on what was asked: who asks, how often, or something on the way. */
const NO_WORD: ReadonlySet<number> = new Set([401, 408, 425, 429, 499])
/** The code of a 403 that names none: the word of something on the way, which may let the next request pass. */
const ON_THE_WAY = 'HTTP_403'

const ROWS: ReadonlyMap<string, ReadonlyMap<string, Meaning>> = new Map(
  Object.entries(MEANINGS).map(([action, codes]) => [action, new Map(Object.entries(codes))]),
)

/**
 * Looks up what a refusal means for who asked.
 *
 * @param action its type, `swap` of a sweep too; `any` of a read
 * @returns undefined where it means no more than that it was refused
 */
export const meaningOf = ({ code }: Pick<Refusal, 'code'>, action: string): Meaning | undefined =>
  ROWS.get(action)?.get(code) ?? ROWS.get('any')?.get(code)

/** True of a swap that was refused before it was signed, and so was never sent. */
export const isUnsigned = ({ code, status }: Refusal): boolean => UNSIGNED.has(code) || NOT_LET_IN.has(status)

/** True of a swap that was refused for what it was, or how often one was asked for: no word on whether swaps are sent. */
export const isOfAsker = ({ code, status }: Refusal): boolean => OF_ASKER.has(code) || status === 429

/** True where the service has said that it does not have what it was asked for. */
export function saysNo(refusal: Refusal | undefined): boolean {
  if (refusal === undefined || NO_WORD.has(refusal.status) || refusal.code === ON_THE_WAY) return false
  return refusal.status >= 400 && refusal.status < 500
}

/** Codes of what is not there any more, or not for this agent. */
const GONE: ReadonlySet<string> = new Set(['NOT_FOUND', 'NOT_IN_CONTEST'])
/** The same where the service gives no code of its own. */
const GONE_STATUS: ReadonlySet<number> = new Set([404, 410])

/** True where the service has said that what it was asked for is not there: one that fails, or was asked too often, says nothing of it. */
export const saysGone = ({ code, status }: Refusal): boolean => GONE.has(code) || GONE_STATUS.has(status)

/** True where the service does not know the key, which nothing but its owner will change. */
export function isKeyRefused(refusal: Refusal | undefined): boolean {
  if (refusal === undefined) return false
  const { code, status } = refusal
  return status === 401 || (status === 403 && code !== ON_THE_WAY) || code.startsWith('AGENT_KEY_')
}
