import { createHash } from 'node:crypto'
import type { Player } from './agentFile.ts'
import type { Contest } from './contest.ts'
import type { Contests } from './contests.ts'
import { msOf, type Pace } from './pace.ts'
import { Refusal } from './refusal.ts'

/** When guesses may be sealed and opened; null is a time not known yet. */
export interface Windows {
  readonly sealUntilMs: number | null
  readonly openFromMs: number | null
  readonly openUntilMs: number | null
}

/** Sealing begins as soon as all places are taken, before the contest is live; opening begins before its end. */
export function windowsOf({ startsAtMs, endsAtMs, durationSec }: Contest, pace: Pace): Windows {
  if (startsAtMs === null) return { sealUntilMs: null, openFromMs: null, openUntilMs: null }
  const endMs = endsAtMs ?? startsAtMs + msOf(pace, durationSec)
  const early = msOf(pace, Math.min(pace.openEarlySec, durationSec / 4))
  const late = msOf(pace, Math.min(pace.sealSec, durationSec / 2))
  return { sealUntilMs: startsAtMs + late, openFromMs: endMs - early, openUntilMs: endMs + msOf(pace, pace.openLateSec) }
}

const HASH = /^[0-9a-f]{64}$/
const SALT = /^[A-Za-z0-9_-]{16,128}$/
const DECIMAL = /^\d{1,20}(?:\.\d{1,18})?$/
const CANONICAL = /^(?:0|[1-9]\d*)(?:\.\d*[1-9])?$/

export function seal(
  contests: Contests,
  contest: Contest,
  player: Player,
  commitment: string,
  now: { readonly ms: number; readonly pace: Pace },
): void {
  const seat = contests.seatIn(contest, player)
  if (contest.mode !== 'price_prediction') throw new Refusal('OTHER_GAME', 'nothing is guessed there')
  if (contest.seats.length < contest.capacity && contest.stage === 'open') throw new Refusal('EARLY', 'places are free yet')
  const { sealUntilMs } = windowsOf(contest, now.pace)
  if (sealUntilMs !== null && now.ms > sealUntilMs) throw new Refusal('LATE', 'guesses are sealed', { sealedMsAgo: now.ms - sealUntilMs })
  if (!HASH.test(commitment)) throw new Refusal('SEAL_ODD', 'a seal is the lowercase hex of a SHA-256')
  if (seat.commitment !== null) throw new Refusal('SEALED_ALREADY', 'a seal is not changed')
  seat.commitment = commitment
  contests.note(contest, seat, 'commit')
  contests.changed(contest)
}

export function openGuess(
  contests: Contests,
  contest: Contest,
  player: Player,
  told: { readonly value: string; readonly salt: string },
  now: { readonly ms: number; readonly pace: Pace },
): void {
  const seat = contests.seatIn(contest, player)
  if (contest.mode !== 'price_prediction') throw new Refusal('OTHER_GAME', 'nothing is guessed there')
  const { openFromMs, openUntilMs } = windowsOf(contest, now.pace)
  if (openFromMs === null || now.ms < openFromMs)
    throw new Refusal('EARLY', 'guesses are opened later', { opensInMs: openFromMs === null ? null : openFromMs - now.ms })
  if (contest.stage === 'settled' || contest.stage === 'cancelled' || now.ms > (openUntilMs ?? 0))
    throw new Refusal('LATE', 'all that is opened is open')
  if (seat.commitment === null) throw new Refusal('NO_SEAL', 'nothing of yours is sealed there')
  if (seat.guess !== null) throw new Refusal('OPENED_ALREADY', 'it is open')
  if (!SALT.test(told.salt)) throw new Refusal('SEAL_ODD', 'that is no salt')
  if (!DECIMAL.test(told.value)) throw new Refusal('SEAL_ODD', 'that is no price')
  const price = canonical(told.value)
  if (sealOf(price, told.salt, seat.slip) !== seat.commitment) throw new Refusal('SEAL_BROKEN', 'that is not what was sealed')
  seat.guess = price
  contests.note(contest, seat, 'reveal')
  contests.changed(contest)
}

/** Rule 1 of part 4, from its text. */
export const sealOf = (price: string, salt: string, slip: string): string =>
  createHash('sha256').update(`${price}:${salt}:${slip}`).digest('hex')

function canonical(value: string): string {
  if (CANONICAL.test(value)) return value
  const [whole = '', fraction = ''] = value.split('.')
  const digits = fraction.replace(/0+$/, '')
  const integer = whole.replace(/^0+(?=\d)/, '')
  return digits === '' ? integer : `${integer}.${digits}`
}
