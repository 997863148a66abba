import type { Result } from '../../contract/enums.ts'
import type { Usdc } from '../../core/usdc.ts'
import { compareRationals, type Rational } from '../rational.ts'

/** Seats that win and lose together: a single one, or all of a side. */
export interface Standing {
  readonly seats: readonly number[]
  /** Null: no valid move was made, which loses. */
  readonly score: Rational | null
}

export interface Decision {
  readonly standings: readonly Standing[]
  readonly winner: 'highest' | 'lowest'
  readonly stake: Usdc
  readonly rakeBps: number
  /** Weights by place. */
  readonly shares: readonly number[]
}

export interface SeatOutcome {
  readonly result: Result
  readonly payout: Usdc
}

type Ranked = Standing & { readonly score: Rational }

const BPS = 10_000n

/**
 * Divides the pot, by seat. The rake comes off first; places in the money take their weights of the
 * rest; places that tie share theirs, each seat alike, and tie for the win as a DRAW, as does one side
 * that has nobody to beat. Shares are rounded down to the micro-USDC: what is left of the pot is rake.
 * Nobody with a score: every stake goes back whole, and no rake is taken.
 */
export function payoutsOf({ standings, winner, stake, rakeBps, shares }: Decision): {
  readonly outcomes: readonly SeatOutcome[]
  readonly rake: Usdc
} {
  const seats = seatsOf(standings)
  const ranked = rankedOf(standings, winner)
  if (ranked.length === 0) return { outcomes: new Array<SeatOutcome>(seats).fill({ result: 'REFUND', payout: stake }), rake: 0n }

  const pot = stake * BigInt(seats)
  const prize = pot - (pot * BigInt(rakeBps)) / BPS
  const total = sumOf(shares, 0, ranked.length)
  const outcomes = new Array<SeatOutcome>(seats).fill({ result: 'LOSS', payout: 0n })
  let rake = pot
  for (let place = 0, next = 0; place < ranked.length; place = next) {
    next = endOfTie(ranked, place)
    const tied = ranked.slice(place, next)
    const members = seatsOf(tied)
    const share = sumOf(shares, place, next)
    const payout = share === 0 ? 0n : (prize * BigInt(share)) / BigInt(total * members)
    const result = place > 0 ? 'LOSS' : tied.length > 1 || standings.length === 1 ? 'DRAW' : 'WIN'
    for (const { seats } of tied) for (const seat of seats) outcomes[seat] = { result, payout }
    rake -= payout * BigInt(members)
  }
  return { outcomes, rake }
}

function seatsOf(standings: readonly Standing[]): number {
  let seats = 0
  for (const standing of standings) seats += standing.seats.length
  return seats
}

/** Those with a score, best first. */
function rankedOf(standings: readonly Standing[], winner: Decision['winner']): Ranked[] {
  const direction = winner === 'highest' ? -1 : 1
  const compare = (a: Ranked, b: Ranked) => direction * compareRationals(a.score, b.score)
  const ranked = standings.filter((standing): standing is Ranked => standing.score !== null)
  const [first, second] = ranked
  // A duel needs one comparison, and a sort takes five times as long to begin.
  if (ranked.length === 2 && first !== undefined && second !== undefined) return compare(first, second) > 0 ? [second, first] : ranked
  return ranked.sort(compare)
}

/** The place after the last of those that tie for `place`. */
function endOfTie(ranked: readonly Ranked[], place: number): number {
  const first = ranked[place]
  let next = place + 1
  for (let other = ranked[next]; first !== undefined && other !== undefined; other = ranked[next]) {
    if (compareRationals(first.score, other.score) !== 0) return next
    next += 1
  }
  return next
}

/** The weights of the places from one to before another. */
function sumOf(shares: readonly number[], from: number, to: number): number {
  let sum = 0
  for (let place = from; place < to; place += 1) sum += shares[place] ?? 0
  return sum
}
