import type { RefusalMeaning, Shapes } from './shapes/shapes.ts'
import type { ServiceRefusal } from './wire.ts'

// Refusals by the service, and what each means for who asked. The specification names no codes: these are the sandbox's, tRPC's, and one that
// only another service has. The words of a mapping come before them. A code of which neither says anything means no more than that it was
// refused; a swap so refused may have been sent all the same.

type Refusal = Pick<ServiceRefusal, 'code' | 'status' | 'meaning'>
type Meant = Pick<ServiceRefusal, 'code' | 'meaning'>

/**
 * Each changes something:
 *
 * - `raceLost`: someone, or time, was faster. It costs nothing, and is no failure of the bot (ADR 0003).
 * - `notYet`: the move is early; it is tried again soon, while its time lasts.
 * - `tooLate`: it is not tried again.
 * - `done`: what was wanted is so already. The action counts as accepted; of an entry the service's lists decide.
 * - `taken`: the token leaves the pool of that turn; of a contest to join it is a lost race.
 * - `cap`, `broke`: a limit, or money that is not there. A swap so refused was not sent, and swaps may go on.
 * - `gone`: the service does not have what it was asked for, or not any more.
 * - `key`: the key is not taken. It says nothing of what was asked.
 * - `rate`: too much was asked at once; nor does this.
 * - `sideWord`: the word for a side is not the service's.
 * - `marketMoved`: a swap would have failed on the chain; it counts as reverted.
 */
export type Meaning = RefusalMeaning | 'marketMoved'

/** By action, or for whatever is asked: a row of the action comes first. */
export const MEANINGS = {
  any: {
    ...{ RATE_LIMITED: 'rate', TOO_MANY_REQUESTS: 'rate' },
    ...{ AGENT_KEY_MISSING: 'key', AGENT_KEY_INVALID: 'key', UNAUTHORIZED: 'key' },
    ...{ NOT_FOUND: 'gone', NOT_IN_CONTEST: 'gone' },
    ...{ STAKE_OVER_CAP: 'cap', DAILY_LOSS_CAP: 'cap', INSUFFICIENT_BANKROLL: 'broke', INSUFFICIENT_BALANCE: 'broke' },
  },
  cancelTicket: { TICKET_NOT_OPEN: 'raceLost' },
  joinContest: { CONTEST_FULL: 'raceLost', CONTEST_NOT_OPEN: 'raceLost', SIDE_TAKEN: 'raceLost' },
  leaveContest: { CONTEST_NOT_OPEN: 'raceLost', NOT_IN_CONTEST: 'done' },
  ready: { CONTEST_NOT_OPEN: 'raceLost', NOT_IN_CONTEST: 'raceLost' },
  draftPick: { NOT_YOUR_TURN: 'notYet', TOKEN_TAKEN: 'taken', TOKEN_NOT_ALLOWED: 'taken' },
  commitPrediction: { COMMIT_CLOSED: 'tooLate', ALREADY_COMMITTED: 'done' },
  revealPrediction: { REVEAL_NOT_OPEN: 'notYet', ALREADY_REVEALED: 'done' },
  swap: { TX_SIMULATION_FAILED: 'marketMoved' },
} as const satisfies Readonly<Record<string, Readonly<Record<string, Meaning>>>>

/** Codes that are known, and say no more than that something was refused, or, of `INTERNAL`, nothing at all. */
export const PLAIN = [
  ...['INTERNAL', 'INVALID_INPUT', 'ALREADY_JOINED', 'COMMITMENT_MISMATCH', 'SALT_INVALID', 'CHAIN_NOT_TRADABLE'],
  ...['TX_MALFORMED', 'TX_TOO_LARGE', 'TX_WRONG_PAYER', 'TX_PROGRAM_NOT_ALLOWED', 'TX_SIGNATURE_MISSING'],
  ...['TX_BLOCKHASH_EXPIRED', 'TX_DUPLICATE'],
] as const

/**
 * Refusals of a swap that come before anything is signed. After any other, a blockhash that expired or a transaction that was there already
 * among them, the swap may have been sent: the chain says.
 */
const UNSIGNED_MEANINGS: ReadonlySet<Meaning | undefined> = new Set<Meaning>(['notYet', 'cap', 'broke', 'gone', 'key', 'rate'])
const UNSIGNED: ReadonlySet<string> = new Set([
  ...['INVALID_INPUT', 'CONTEST_NOT_OPEN', 'TOKEN_NOT_ALLOWED', 'CHAIN_NOT_TRADABLE'],
  ...['TX_MALFORMED', 'TX_TOO_LARGE', 'TX_WRONG_PAYER', 'TX_PROGRAM_NOT_ALLOWED', 'TX_SIGNATURE_MISSING'],
])
/** Those among them that are about what was asked for, or how often: another swap may be sent. */
const OF_ASKER_MEANINGS: ReadonlySet<Meaning | undefined> = new Set<Meaning>(['notYet', 'cap', 'broke', 'rate'])
const OF_ASKER: ReadonlySet<string> = new Set(['NOT_IN_CONTEST', 'CONTEST_NOT_OPEN', 'TOKEN_NOT_ALLOWED'])

/** The same where the service gives no code of its own: it has not let the request in. */
const NOT_LET_IN: ReadonlySet<number> = new Set([401, 403, 404, 405, 413, 415, 429])

/** Refusals that are no word on what was asked: who asks, how often, or something on the way. */
const NO_WORD: ReadonlySet<number> = new Set([401, 408, 425, 429, 499])
/** What was asked for is not there. */
const GONE: ReadonlySet<number> = new Set([404, 410])
/** The code of a 403 that names none: the word of something on the way, which may let the next request pass. */
const ON_THE_WAY = 'HTTP_403'
/** How codes about the key begin. */
const OF_KEY = 'AGENT_KEY_'

const ROWS: ReadonlyMap<string, ReadonlyMap<string, Meaning>> = new Map(
  Object.entries(MEANINGS).map(([action, codes]) => [action, new Map(Object.entries(codes))]),
)
const KNOWN: ReadonlySet<string> = new Set([...PLAIN, ...[...ROWS.values()].flatMap((codes) => [...codes.keys()])])

/**
 * Looks up what a refusal means for who asked.
 *
 * @param action its type, `swap` of a sweep too; `any` of a read
 * @returns undefined where it means no more than that it was refused
 */
export const meaningOf = ({ code, meaning }: Meant, action: string): Meaning | undefined =>
  meaning ?? ROWS.get(action)?.get(code) ?? ROWS.get('any')?.get(code)

/**
 * A refusal with the meaning that a mapping gives its code, in whatever case it is written.
 *
 * @param words `words.refusal` of the mapping
 */
export function withMeaning<R extends Meant>(refusal: R, words: NonNullable<Shapes['words']>['refusal']): R {
  const code = refusal.code.toLowerCase()
  for (const [meaning, codes] of Object.entries(words ?? {}))
    if (codes.some((word) => word.toLowerCase() === code)) return { ...refusal, meaning: meaning as RefusalMeaning }
  return refusal
}

/** True of an action that came too late for somebody else's: its token or seat is taken. */
export const isLostRace = (refusal: Meant, action: string): boolean => {
  const meaning = meaningOf(refusal, action)
  return meaning === 'raceLost' || (meaning === 'taken' && action === 'joinContest')
}

/** True of a refusal with a code of which nobody has said what it means, and that is no failure. A status without a code says what HTTP says. */
export function isUnknown({ code, status, meaning }: Refusal): boolean {
  if (meaning !== undefined || KNOWN.has(code) || code.startsWith(OF_KEY) || code === `HTTP_${status}`) return false
  return status < 500 && !NO_WORD.has(status)
}

/** True of a swap that was refused before it was signed, and so was never sent. */
export const isUnsigned = (refusal: Refusal): boolean =>
  UNSIGNED_MEANINGS.has(meaningOf(refusal, 'swap')) || UNSIGNED.has(refusal.code) || NOT_LET_IN.has(refusal.status)

/** True of a swap that was refused for what it was, or how often one was asked for: no word on whether swaps are sent. */
export const isOfAsker = (refusal: Refusal): boolean =>
  OF_ASKER_MEANINGS.has(meaningOf(refusal, 'swap')) || OF_ASKER.has(refusal.code) || refusal.meaning === 'gone' || refusal.status === 429

/** True where the service has answered what was asked, by a no. */
export function saysNo(refusal: Refusal | undefined): boolean {
  if (refusal === undefined) return false
  const { code, status } = refusal
  const meaning = meaningOf(refusal, 'any')
  if (meaning === 'key' || meaning === 'rate' || code.startsWith(OF_KEY)) return false
  if (refusal.meaning !== undefined) return true
  return !NO_WORD.has(status) && code !== ON_THE_WAY && status >= 400 && status < 500
}

/** True where the service has said that it does not have what it was asked for. A code that is not known does not say so, unless its status does. */
export function saysGone(refusal: Refusal | undefined): boolean {
  if (refusal === undefined) return false
  const meaning = meaningOf(refusal, 'any')
  return meaning === undefined ? GONE.has(refusal.status) : meaning === 'gone'
}

/** True where the service does not know the key, which nothing but its owner will change. */
export function isKeyRefused(refusal: Refusal | undefined): boolean {
  if (refusal === undefined) return false
  const { code, status, meaning } = refusal
  if (meaning !== undefined) return meaning === 'key'
  if (status === 401 || code.startsWith(OF_KEY) || meaningOf(refusal, 'any') === 'key') return true
  // Who names a limit, or a contest, knows whom it answers.
  return status === 403 && code !== ON_THE_WAY && !KNOWN.has(code)
}
